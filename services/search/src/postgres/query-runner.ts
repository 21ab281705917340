import type { Matches, TypeQuery } from '../index-port.js';
import type { CommonTerms } from './common-terms.js';
import { inSequence, interleaved, noMatches } from './in-sequence.js';
import { keyedSearch } from './keyed-search.js';
import { areAlike, createRangeSearch, isRangeQuery } from './range-search.js';
import type { Reader } from './reader.js';
import { createSharedStatement } from './shared-statement.js';
import { createTermSearch, type TermQuery } from './term-search.js';

/** Runs queries (`SearchIndex.query`). */
type QueryRunner = (source: string, queries: readonly TypeQuery[], signal: AbortSignal) => Promise<Matches | undefined>;

interface Options {
  readonly reader: Reader;
  readonly commonTerms: CommonTerms;
  /** Maximum number of statements that searches share at the same time. */
  readonly connections: number;
}

/**
 * One statement answers all queries by terms alone, and one the queries that follow each other and ask the same of
 * different types; the searches of an event-loop turn share it.
 */
export function createQueryRunner({ reader: shared, commonTerms, connections }: Options): QueryRunner {
  const statement = createSharedStatement(shared, connections);
  const rangeSearch = createRangeSearch(statement);
  const termSearch = createTermSearch(statement, commonTerms);
  return async (source, queries, signal) => {
    const reader = shared.during({ signal });
    const run = ([first, ...rest]: Group) =>
      isRangeQuery(first)
        ? rangeSearch(reader, source, [first, ...rest.filter(isRangeQuery)], signal)
        : keyedSearch(reader, source, first);
    const plain = queries.filter(isPlain);
    const groups = groupsOf(queries.filter((query): query is OtherQuery => !isPlain(query)));
    if (plain.length > 0) {
      const terms = await termSearch(reader, source, plain, signal);
      const types = queries.map(({ type }) => type);
      const others = groups.map((group) => ({ position: types.indexOf(group[0].type), run: () => run(group) }));
      return terms && { ...terms, pages: interleaved(terms.pages, ({ type }) => types.indexOf(type), others) };
    }
    return groups.length === 0 ? noMatches(reader, source) : inSequence(groups.map((group) => () => run(group)));
  };
}

type OtherQuery = Exclude<TypeQuery, TermQuery> | (TermQuery & { hosts: string });
type Group = [OtherQuery, ...OtherQuery[]];

function groupsOf(queries: readonly OtherQuery[]): Group[] {
  const groups: Group[] = [];
  for (const query of queries) {
    const group = groups.at(-1);
    const last = group?.at(-1);
    if (last !== undefined && isRangeQuery(last) && isRangeQuery(query) && areAlike(last, query)) group!.push(query);
    else groups.push([query]);
  }
  return groups;
}

/** By terms alone. */
function isPlain(query: TypeQuery): query is TermQuery {
  return query.kind === 'terms' && query.hosts === undefined;
}
