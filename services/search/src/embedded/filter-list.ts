import type { Compared, Filtered, InverseQuery, ListFilter } from '../index-port.js';
import { hasWords } from '../list-filter.js';
import { matchesOf, orderOf } from './matches.js';
import { endsOf, type Match, numberOf, sortKeyOf } from './positions.js';
import { beginningOf, hasNeeded, type PageStart } from './query-page.js';
import { serialOf, type Tables } from './tables.js';

/** Objects that one task compares, in a few milliseconds: a filter ends between two tasks when its client leaves. */
const portion = 1_000;

/** What one task has compared. */
export interface FilteredPart extends Filtered {
  /** Where to continue; undefined at the end. */
  readonly next: PageStart | undefined;
}

/** The beginning of a filter: after the position at which the first query begins. */
export function filterStart(queries: readonly InverseQuery[]): PageStart {
  const { at, start } = beginningOf(queries);
  return { at, start: start && { ...start, isIncluded: false } };
}

/** Compares the next objects; the caller reads one state of the tables. */
export function filterPart(
  tables: Tables,
  queries: readonly InverseQuery[],
  filter: ListFilter & { readonly limit: number },
  start: PageStart,
): FilteredPart {
  const serial = serialOf(tables);
  const passed: Filtered['passed'][number][] = [];
  const isPassing = comparisonOf(tables, filter);
  let compared = 0;
  let last: Compared | undefined;
  let next: PageStart | undefined = hasNeeded(tables, queries) ? start : undefined;
  while (next !== undefined && compared < portion) {
    const { at } = next;
    const query = queries[at];
    if (query === undefined) {
      next = undefined;
      break;
    }
    const part = matchesOf(tables, query, next.start, portion - compared);
    next = part.next ? { at, start: part.next } : { at: at + 1, start: undefined };
    for (const match of part.matches) {
      compared++;
      if (!isPassing(query, match)) continue;
      passed.push({ ...comparedOf(tables, query, match), compared });
      if (passed.length < filter.limit) continue;
      const sortKey = sortKeyOf(tables, orderOf(query), match);
      return { serial, passed, compared, last: passed.at(-1), next: { at, start: { sortKey, isIncluded: false } } };
    }
    const end = part.matches.at(-1);
    if (end !== undefined) last = comparedOf(tables, query, end);
  }
  return { serial, passed, compared, last, next };
}

/** Compares a match with the filter, by the columns of its row before its text. */
function comparisonOf(tables: Tables, filter: ListFilter): (query: InverseQuery, match: Match) => boolean {
  const ends = filter.range && endsOf(filter.range);
  return ({ type }, { id }) => {
    const [key, name, hasAddresses] = tables.row<[string, string, number]>(
      `select key, coalesce(name, person_name, descr, ''), coalesce(first <= ? and last >= ?, 0)
       from object where id = ?`,
      ...[ends?.last ?? null, ends?.first ?? null, id],
    )!;
    return hasAddresses === 1 || hasWords(filter, { type, key }, name);
  };
}

function comparedOf(tables: Tables, { type }: InverseQuery, { id }: Match): Compared {
  const [key, first, last] = tables.row<[string, Uint8Array | null, Uint8Array | null]>(
    'select key, first, last from object where id = ?',
    id,
  )!;
  return { type, key, ...(first && last && { range: { first: numberOf(first), last: numberOf(last) } }) };
}
