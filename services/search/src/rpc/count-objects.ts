import type { SearchServiceService } from '@cadastre/proto/search';
import { type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { parseQuery } from '../query/parse-query.js';
import { inverseQueries } from '../run/resolve-inverse.js';
import { searchReads } from '../run/search-reads.js';
import { indexMissing } from './sources.js';
import { turnsOf } from './turns.js';

/** Counts the matches of an inverse lookup, by type, in one source. */
export function countObjects(context: Context): Handlers<typeof SearchServiceService>['countObjects'] {
  return async ({ query, source, types, inverseAttributes, client }, call) => {
    const sources = source === '' ? [] : [source];
    const nothing = { flags: [], includeTags: [], excludeTags: [] };
    const parsed = parseQuery({ query, sources, types, inverseAttributes, ...nothing }, context.sources);
    if (!parsed.ok) throw new ServiceError('invalid', parsed.messages);
    const { search, sources: searched } = parsed.value;
    if (search.kind !== 'inverse') throw new ServiceError('invalid', 'Only inverse lookups can be counted');
    const { store } = searched[0]!;
    const turns = turnsOf(context, { client }, call);
    const queries = await inverseQueries(searchReads(context.index, turns), store, search);
    const found = await turns.read(() => context.index.countByType(store, queries, call.signal));
    if (found === undefined) throw indexMissing();
    const { counts, isPartial, serial } = found;
    const all = queries.map(({ type }, at) => ({ type, objects: BigInt(counts[at]!) }));
    const processingMs = turns.takeSpentMs();
    return { counts: all.filter(({ objects }) => objects > 0n), isPartial, serial, processingMs };
  };
}
