import { hash } from 'node:crypto';
import { type IndexedObject, type Matches, maximalPage, smallText, type TypeQuery } from '../index-port.js';
import { storedTerm } from './documents.js';
import { inSequence, noMatches } from './in-sequence.js';
import { keyedSearch } from './keyed-search.js';
import { knownObjects, objectsOf } from './load.js';
import type { Reader, Statement } from './reader.js';
import { type ObjectRow, objectColumnsIf } from './rows.js';

export type TermQuery = Extract<TypeQuery, { kind: 'terms' }>;

/** Maximum number of matches of all types in one statement; with more, each type gets statements of its own. */
const maxTogether = 500;

/** Maximum number of lists of required terms in that statement: each number of lists makes another text. */
const maxLists = 8;

/** Maximum number of remembered searches that had too many matches for one statement. */
const maxCrowded = 1000;

/** Searches several types by their terms. */
export type TermSearch = (
  reader: Reader,
  source: string,
  queries: readonly TermQuery[],
) => Promise<Matches | undefined>;

/**
 * Searches all types by one statement. It remembers which searches had too many matches for that: the statement finds
 * all matches before it stops reading them.
 */
export function createTermSearch(): TermSearch {
  const crowded = new Set<string>();
  return async (reader, source, queries) => {
    const onlyIf = queries.find((query) => query.onlyIf)?.onlyIf;
    const typeByType = async () => {
      const ids = (onlyIf ?? []).map((id) => ({ source, ...id }));
      if (ids.length > 0 && !(await knownObjects(reader, ids)).includes(true)) return noMatches(reader, source);
      return inSequence(queries.map((query) => () => keyedSearch(reader, source, query)));
    };
    // A hash, because a client chooses how long the terms are.
    const name = hash('sha256', JSON.stringify([source, queries]));
    const { single, several } = listsOf(queries);
    if (crowded.has(name) || several.length > maxLists) return typeByType();
    const found = await reader.rowsWithSerial<ObjectRow>(source, allTypes(queries, single, several, onlyIf));
    if (found === undefined) return undefined;
    const { serial, rows } = found;
    if (rows.length <= maxTogether) return { serial, pages: pagesOf(reader, source, rows) };
    if (crowded.size === maxCrowded) crowded.clear();
    crowded.add(name);
    return typeByType();
  };
}

/** The alternatives of all types as stored terms: single terms, and lists of required terms. */
function listsOf(queries: readonly TermQuery[]) {
  const lists = queries.flatMap(({ type, anyOf }) => anyOf.map((all) => all.map((term) => storedTerm(type, term))));
  return {
    single: lists.filter((all) => all.length === 1).flat(),
    several: lists.filter((all) => all.length > 1),
  };
}

/** The rows after the first page have no texts. */
async function* pagesOf(
  reader: Reader,
  source: string,
  rows: readonly ObjectRow[],
): AsyncGenerator<readonly IndexedObject[]> {
  for (let at = 0; at < rows.length; at += maximalPage) {
    yield* objectsOf(reader, source, rows.slice(at, at + maximalPage));
  }
}

/** The first matches of all types in the order of the queries, one more than `maxTogether`. Terms name their types. */
function allTypes(
  queries: readonly TermQuery[],
  single: readonly string[],
  several: readonly (readonly string[])[],
  onlyIf: TermQuery['onlyIf'],
): Statement {
  const conditions = [
    'd.terms && (select $3::bigint[])',
    ...several.map((_, index) => `d.terms @> (select $${index + 6}::bigint[])`),
  ];
  const isPossible = (document: string) => `($4::text[] is null or exists (select from ${document} target
    where (target.type, target.key) in (select * from unnest((select $4::text[]), (select $5::text[])))))`;
  const text = objectColumnsIf(`d.place <= ${maximalPage} and d.size <= ${smallText}`);
  return {
    plannedOnce: true,
    text: ({ document }) => `
      select ${text} from (
        select d.*, row_number() over (
          order by asked.rank, case when asked.by_address then d.first end,
            case when asked.by_address then d.last end desc, d.key) as place
        from (select * from ${document} d
          where (${conditions.join(' or ')}) and ${isPossible(document)} limit ${maxTogether + 1}) d
        join unnest((select $1::text[]), (select $2::boolean[])) with ordinality as asked (type, by_address, rank)
          on asked.type = d.type
      ) d order by d.place`,
    values: [
      queries.map(({ type }) => type),
      queries.map(({ order }) => order === 'address'),
      single,
      onlyIf?.map(({ type }) => type) ?? null,
      onlyIf?.map(({ key }) => key) ?? null,
      ...several,
    ],
  };
}
