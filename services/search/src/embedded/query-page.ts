import { type IndexedObject, maximalPage, neededBy, type TypeQuery } from '../index-port.js';
import { matchesOf, orderOf, readsMuch, startOf } from './matches.js';
import { type Match, type Start, sortKeyOf } from './positions.js';
import { type Naming, readObjects, serialOf, type Tables, typeNumber } from './tables.js';

/** Where a result continues: the number of its query, and the position there. */
export interface PageStart {
  readonly at: number;
  readonly start: Start | undefined;
}

/** A page of a result. */
export interface QueryPage {
  readonly serial: bigint;
  /** Up to `maximalPage` objects and `maximalBytes`; possibly none although more follow. */
  readonly objects: readonly IndexedObject[];
  /** Undefined after the last page. */
  readonly next: PageStart | undefined;
}

/** The beginning of a result. */
export function beginningOf(queries: readonly TypeQuery[]): PageStart {
  return { at: 0, start: queries[0] && startOf(queries[0]) };
}

/** Whether a page may take long, so that others must not wait for it. */
export function isLong(tables: Tables, queries: readonly TypeQuery[]): boolean {
  return queries.some((query) => readsMuch(tables, query));
}

/** Reads a page; the caller reads one state of the tables. */
export function readPage(
  tables: Tables,
  source: string,
  queries: readonly TypeQuery[],
  { at, start }: PageStart,
): QueryPage {
  const serial = serialOf(tables);
  if (!hasNeeded(tables, queries)) return { serial, objects: [], next: undefined };
  const found: FoundAt[] = [];
  let next: PageStart | undefined = { at, start };
  while (next !== undefined && found.length < maximalPage) {
    const query: TypeQuery | undefined = queries[next.at];
    if (query === undefined) {
      next = undefined;
      break;
    }
    const part = matchesOf(tables, query, next.start, maximalPage - found.length);
    for (const match of part.matches) found.push({ match, query, at: next.at });
    const isOver = part.next === undefined;
    next = isOver ? { at: next.at + 1, start: undefined } : { at: next.at, start: part.next };
    // A part without matches has read enough.
    if (!isOver && part.matches.length === 0) break;
  }
  const { objects, read } = readObjects(tables, source, found, byId);
  const unread = found[read];
  if (unread === undefined) return { serial, objects, next };
  const sortKey = sortKeyOf(tables, orderOf(unread.query), unread.match);
  return { serial, objects, next: { at: unread.at, start: { sortKey, isIncluded: true } } };
}

/** A match of one of several queries. */
interface FoundAt {
  readonly match: Match;
  readonly query: TypeQuery;
  readonly at: number;
}

const byId: Naming<FoundAt> = {
  where: 'id = ?',
  valuesOf: ({ match }) => [match.id],
  typeOf: ({ query }) => query.type,
};

/** Whether one of the objects exists that the queries require. */
export function hasNeeded(tables: Tables, queries: readonly TypeQuery[]): boolean {
  const needed = neededBy(queries);
  return needed === undefined || needed.some(({ type, key }) => isKnown(tables, type, key));
}

export function isKnown(tables: Tables, type: TypeQuery['type'], key: string): boolean {
  return tables.row('select 1 from object where type = ? and key = ?', typeNumber(type), key) !== undefined;
}
