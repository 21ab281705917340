import type { SQLInputValue } from 'node:sqlite';
import type { Mode, Range } from '@cadastre/query';
import type { ObjectTypeName } from '@cadastre/rpsl';
import { maximalPage, type Nearest, type TypeQuery } from '../index-port.js';
import {
  cut,
  type End,
  type Ends,
  endsOf,
  type Found,
  lastCharacter,
  type Match,
  nodeAt,
  partsOf,
  type Start,
  sharedBits,
  sortKeyByAddress,
} from './positions.js';
import { limited, type Tables, typeNumber } from './tables.js';

type RangeQuery = Extract<TypeQuery, { kind: 'range' | 'covering' }>;

/** The next matches around a range, in the order of addresses. */
export function rangeMatches(tables: Tables, query: RangeQuery, start: Start | undefined, limit: number): Found {
  const type = typeNumber(query.type);
  const requested = endsOf(query.range);
  const mode: Mode = query.kind === 'range' ? query.mode : 'default';
  const origin = query.kind === 'range' ? query.origin : undefined;
  const one: Wanted = { tables, type, origin, start, limit };
  const all = (matches: readonly Match[]) => cut(tables, 'address', matches, limit);
  switch (mode) {
    case 'exact':
      return all(at(one, requested));
    case 'default':
      return all(nearest(one, requested));
    case 'one-less':
      return all(nextLarger(one, requested));
    case 'all-less':
      return all(enclosing(one, requested));
    case 'all-more':
      return all(inside(one, requested));
    case 'one-more':
      return firstLevel(one, requested);
  }
}

interface Wanted {
  readonly tables: Tables;
  readonly type: number;
  readonly origin: string | undefined;
  readonly start: Start | undefined;
  readonly limit: number;
}

/** The wanted objects of a type that have a condition. */
function select(one: Wanted, condition: string, ...values: SQLInputValue[]): Match[] {
  const { tables, type, origin, start, limit } = one;
  const further = conditions(origin, start);
  const rows = tables.rows<[number]>(
    `select id from object where type = ? and ${condition}${further.text} order by first, last desc, key ${limited}`,
    type,
    ...values,
    ...further.values,
    limit,
  );
  return rows.map(([id]) => ({ id }));
}

/** The objects with a range. */
function at(one: Wanted, { first, last }: Ends): Match[] {
  return select(one, 'first = ? and last = ?', first, last);
}

/** The objects inside a range, without those that equal it. */
function inside(one: Wanted, { first, last }: Ends): Match[] {
  const { start } = one;
  const from = start === undefined ? first : later(first, partsOf(start.sortKey).first);
  const condition = 'first >= ? and first <= ? and last <= ? and not (first = ? and last = ?)';
  return select(one, condition, from, last, last, first, last);
}

/** The objects around a range, those that equal it too. */
function enclosing(one: Wanted, requested: Ends): Match[] {
  const around = aroundText(one, requested);
  return select(one, around.text, ...around.values);
}

/** The objects with the smallest range that contains a range. */
function nearest(one: Wanted, requested: Ends): Match[] {
  const { first, last } = requested;
  // Stored ranges are disjoint, equal or nested: the last one that starts at or before a range is the smallest around
  // it, if it contains it.
  const before = 'select first, last from object where type = ? and first <= ? and first >= ?';
  const found = select(
    one,
    `(first, last) = (${before} order by first desc, last limit 1) and last >= ?`,
    ...[one.type, first, first.subarray(0, 1), last],
  );
  if (found.length > 0) return found;
  const around = aroundText(one, requested);
  return select(one, `(first, last) = (${smallest(around.text)})`, ...around.values);
}

/** The objects with the smallest range that contains a range and is larger. */
function nextLarger(one: Wanted, requested: Ends): Match[] {
  const around = aroundText(one, requested);
  const larger = `${around.text} and not (first = ? and last = ?)`;
  return select(one, `(first, last) = (${smallest(larger)})`, ...around.values, requested.first, requested.last);
}

function smallest(condition: string): string {
  return `select first, last from object where ${condition} order by first desc, last limit 1`;
}

/** First-level more specifics: steps from one top range to the next, over everything inside it. */
function firstLevel(one: Wanted, requested: Ends): Found {
  const { tables, type, start, limit } = one;
  const matches: Match[] = [];
  let resumed = start && partsOf(start.sortKey);
  let tops = 0;
  // First the range of the position, which may have objects left.
  for (let top = resumed ?? nextInside(tables, type, requested, undefined); top !== undefined; ) {
    matches.push(...at({ ...one, start: resumed && start, limit: limit - matches.length }, top));
    if (matches.length >= limit) return cut(tables, 'address', matches, limit);
    if (++tops >= maxTops)
      return { matches, next: { sortKey: sortKeyByAddress(top, lastCharacter), isIncluded: false } };
    resumed = undefined;
    top = nextInside(tables, type, requested, top) as typeof top;
  }
  return { matches, next: undefined };
}

/** Maximum top ranges of a page, which may have no objects then. */
const maxTops = 10 * maximalPage;

/** The first range inside another one and after `before`: the outermost ones come first. */
function nextInside(tables: Tables, type: number, { first, last }: Ends, before: Ends | undefined): Ends | undefined {
  const from: [string, End] = before === undefined ? ['>=', first] : ['>', before.last];
  return tables.one<Ends>(
    `select first, last from object where type = ? and first ${from[0]} ? and first <= ? and last <= ?
       and not (first = ? and last = ?) order by first, last desc limit 1`,
    ...[type, from[1], last, last, first, last],
  );
}

/** The two smallest ranges of a type that contain a range, and whether the smallest contains others. */
export function twoNearest(tables: Tables, type: ObjectTypeName, range: Range): TwoNearest {
  const one: Wanted = { tables, type: typeNumber(type), origin: undefined, start: undefined, limit: 2 };
  const found = nearest(one, endsOf(range));
  const [first] = found;
  if (first === undefined) return { matches: found, holding: false };
  const ends = tables.one<Ends>('select first, last from object where id = ?', first.id)!;
  const single = { ...one, limit: 1 };
  return {
    matches: found.length === 2 ? found : [first, ...nextLarger(single, ends)],
    holding: inside(single, ends).length > 0,
  };
}

interface TwoNearest {
  readonly matches: readonly Match[];
  readonly holding: boolean;
}

/** For each range, the smallest one that contains it and has irts (`SearchIndex.nearestWith`). */
export function nearestWithIrts(tables: Tables, type: number, ranges: readonly Range[]): (Nearest | undefined)[] {
  return ranges.map((range) => {
    const around = aroundText({ tables, type }, endsOf(range));
    const row = tables.row<[key: string, irts: string]>(
      `select key, irts from object where ${around.text} and irts is not null order by first desc, last, key limit 1`,
      ...around.values,
    );
    return row && { key: row[0], values: JSON.parse(row[1]) };
  });
}

/** The condition of a row whose range contains another one: it is in one of a few nodes. */
function aroundText(
  { tables, type }: Pick<Wanted, 'tables' | 'type'>,
  requested: Ends,
): { text: string; values: SQLInputValue[] } {
  const shared = sharedBits(requested);
  const nodes = tables
    .nodeLengths(type, requested.first[0]!)
    .filter((bits) => bits <= shared)
    .map((bits) => nodeAt(type, requested.first, bits));
  const text = `node in (${nodes.map(() => '?').join()}) and first <= ? and last >= ?`;
  return { text, values: [...nodes, requested.first, requested.last] };
}

/** The condition of a wanted object, after the position where the query continues. */
function conditions(origin: string | undefined, start: Start | undefined): { text: string; values: SQLInputValue[] } {
  const values: SQLInputValue[] = [];
  let text = '';
  if (origin !== undefined) {
    text += ' and origin = ?';
    values.push(origin);
  }
  if (start !== undefined) {
    const { first, last, key } = partsOf(start.sortKey);
    text += ` and (first > ? or (first = ? and (last < ? or (last = ? and key ${start.isIncluded ? '>=' : '>'} ?))))`;
    values.push(first, first, last, last, key);
  }
  return { text, values };
}

function later(one: End, other: End): End {
  return Buffer.compare(one, other) >= 0 ? one : other;
}
