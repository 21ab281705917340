import type { Matches, TypeQuery } from '../index-port.js';
import { inSequence, noMatches } from './in-sequence.js';
import { keyedSearch } from './keyed-search.js';
import { areAlike, createRangeSearch, isRangeQuery } from './range-search.js';
import type { Reader } from './reader.js';
import { createTermSearch, type TermQuery } from './term-search.js';

/** Runs queries (`SearchIndex.query`). */
type QueryRunner = (reader: Reader, source: string, queries: readonly TypeQuery[]) => Promise<Matches | undefined>;

/**
 * One statement answers queries that follow each other and ask the same of different types. `shared` reads for several
 * searches at once.
 */
export function createQueryRunner(shared: Reader): QueryRunner {
  const rangeSearch = createRangeSearch(shared);
  const termSearch = createTermSearch();
  const run = (reader: Reader, source: string, group: readonly TypeQuery[]) => {
    const [first] = group;
    if (isRangeQuery(first!)) return rangeSearch(reader, source, group.filter(isRangeQuery));
    if (isPlain(first!)) return termSearch(reader, source, group.filter(isPlain));
    return keyedSearch(reader, source, first!);
  };
  return (reader, source, queries) =>
    queries.length === 0
      ? noMatches(reader, source)
      : inSequence(groupsOf(queries).map((group) => () => run(reader, source, group)));
}

function groupsOf(queries: readonly TypeQuery[]): TypeQuery[][] {
  const groups: TypeQuery[][] = [];
  for (const query of queries) {
    const group = groups.at(-1);
    if (group !== undefined && canJoin(group.at(-1)!, query)) group.push(query);
    else groups.push([query]);
  }
  return groups;
}

function canJoin(one: TypeQuery, other: TypeQuery): boolean {
  if (isRangeQuery(one) && isRangeQuery(other)) return areAlike(one, other);
  return isPlain(one) && isPlain(other);
}

/** By terms alone. */
function isPlain(query: TypeQuery): query is TermQuery {
  return query.kind === 'terms' && query.hosts === undefined;
}
