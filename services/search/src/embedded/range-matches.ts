import type { SQLInputValue } from 'node:sqlite';
import type { Mode, Range } from '@cadastre/query';
import { maximalPage, type Nearest, type TypeQuery } from '../index-port.js';
import { cut, type Found, type Match, type Start } from './found.js';
import { addressPlace, type End, type Ends, endsOf, lastCharacter, nodeAt, partsOf, sharedBits } from './places.js';
import { type Tables, typeNumber } from './tables.js';

type RangeQuery = Extract<TypeQuery, { kind: 'range' | 'covering' }>;

/** A row of `object`. */
interface Row {
  readonly id: number;
  readonly first: Uint8Array;
  readonly last: Uint8Array;
  readonly key: string;
}

/** The next matches around a range, in the order of addresses. */
export function rangeMatches(tables: Tables, query: RangeQuery, start: Start | undefined, limit: number): Found {
  const type = typeNumber(query.type);
  const asked = endsOf(query.range);
  const mode: Mode = query.kind === 'range' ? query.mode : 'default';
  const origin = query.kind === 'range' ? query.origin : undefined;
  const one: Wanted = { tables, type, origin, start, limit };
  switch (mode) {
    case 'exact':
      return cut(at(one, asked), limit);
    case 'default':
    case 'one-less': {
      const ends = nearestEnds(tables, type, asked, mode === 'one-less');
      return ends ? cut(at(one, ends), limit) : nothing;
    }
    case 'all-less':
      return cut(enclosing(one, asked), limit);
    case 'all-more':
      return cut(inside(one, asked), limit);
    case 'one-more':
      return firstLevel(one, asked);
  }
}

const nothing: Found = { matches: [], next: undefined };

interface Wanted {
  readonly tables: Tables;
  readonly type: number;
  readonly origin: string | undefined;
  readonly start: Start | undefined;
  readonly limit: number;
}

/** The objects with a range. */
function at({ tables, type, origin, start, limit }: Wanted, { first, last }: Ends): Match[] {
  const condition = conditions(origin, start);
  const rows = tables.all<Row>(
    `select id, first, last, key from object where type = ? and first = ? and last = ? ${condition.text}
     order by first, last desc, key limit ?`,
    ...[type, first, last],
    ...condition.values,
    limit,
  );
  return rows.map(matchOf);
}

/** The objects inside a range, without those that equal it. */
function inside({ tables, type, origin, start, limit }: Wanted, { first, last }: Ends): Match[] {
  const condition = conditions(origin, start);
  const from = start === undefined ? first : later(first, partsOf(start.place).first);
  const rows = tables.all<Row>(
    `select id, first, last, key from object
     where type = ? and first >= ? and first <= ? and last <= ? and not (first = ? and last = ?) ${condition.text}
     order by first, last desc, key limit ?`,
    ...[type, from, last, last, first, last],
    ...condition.values,
    limit,
  );
  return rows.map(matchOf);
}

/** The objects around a range, those that equal it too. */
function enclosing({ tables, type, origin, start, limit }: Wanted, asked: Ends): Match[] {
  const condition = conditions(origin, start);
  const around = aroundText(tables, type, asked);
  const rows = tables.all<Row>(
    `select id, first, last, key from object where ${around.text} ${condition.text}
     order by first, last desc, key limit ?`,
    ...around.values,
    ...condition.values,
    limit,
  );
  return rows.map(matchOf);
}

/** First-level more specifics: steps from one top range to the next, over everything inside it. */
function firstLevel(one: Wanted, asked: Ends): Found {
  const { tables, type, start, limit } = one;
  const matches: Match[] = [];
  let place = start && partsOf(start.place);
  let tops = 0;
  // At first the range of the place, where objects may be left.
  for (let top = place ?? nextInside(tables, type, asked, undefined); top !== undefined; ) {
    matches.push(...at({ ...one, start: place === undefined ? undefined : start, limit: limit - matches.length }, top));
    if (matches.length >= limit) return cut(matches, limit);
    if (++tops >= maxTops) return { matches, next: { place: addressPlace(top, lastCharacter), isIncluded: false } };
    place = undefined;
    top = nextInside(tables, type, asked, top) as typeof top;
  }
  return { matches, next: undefined };
}

/** So many top ranges are read before a page ends, which may have no objects then. */
const maxTops = 10 * maximalPage;

/** The first range inside another one and behind `before`: the outermost ones come first. */
function nextInside(tables: Tables, type: number, { first, last }: Ends, before: Ends | undefined): Ends | undefined {
  const from: [string, End] = before === undefined ? ['>=', first] : ['>', before.last];
  return tables.one<Row>(
    `select first, last from object where type = ? and first ${from[0]} ? and first <= ? and last <= ?
       and not (first = ? and last = ?) order by first, last desc limit 1`,
    ...[type, from[1], last, last, first, last],
  );
}

/** The ends of the smallest range that contains a range, or, strictly, is larger. */
function nearestEnds(tables: Tables, type: number, asked: Ends, isStrict: boolean): Ends | undefined {
  if (!isStrict) {
    // Stored ranges are disjoint, equal or nested: what starts last, at or before a range, is the smallest around it if it
    // contains it.
    const before = tables.one<Row>(
      'select first, last from object where type = ? and first <= ? and first >= ? order by first desc, last limit 1',
      ...[type, asked.first, asked.first.subarray(0, 1)],
    );
    if (before === undefined) return undefined;
    if (Buffer.compare(before.last, asked.last) >= 0) return before;
  }
  const around = aroundText(tables, type, asked);
  const strictly = isStrict ? 'and not (first = ? and last = ?)' : '';
  return tables.one<Row>(
    `select first, last from object where ${around.text} ${strictly} order by first desc, last limit 1`,
    ...around.values,
    ...(isStrict ? [asked.first, asked.last] : []),
  );
}

/** For each range, the smallest one that contains it and has irts (`SearchIndex.nearestWith`). */
export function nearestWithIrts(tables: Tables, type: number, ranges: readonly Range[]): (Nearest | undefined)[] {
  return ranges.map((range) => {
    const around = aroundText(tables, type, endsOf(range));
    const row = tables.one<{ key: string; irts: string }>(
      `select key, irts from object where ${around.text} and irts is not null order by first desc, last, key limit 1`,
      ...around.values,
    );
    return row && { key: row.key, values: JSON.parse(row.irts) };
  });
}

/** The condition of a row whose range contains another one: it is in one of a few nodes. */
function aroundText(tables: Tables, type: number, asked: Ends): { text: string; values: SQLInputValue[] } {
  const shared = sharedBits(asked);
  const nodes = tables
    .nodeLengths(type, asked.first[0]!)
    .filter((bits) => bits <= shared)
    .map((bits) => nodeAt(type, asked.first, bits));
  const text = `node in (${nodes.map(() => '?').join()}) and first <= ? and last >= ?`;
  return { text, values: [...nodes, asked.first, asked.last] };
}

/** The condition of a wanted object, after the place where the query continues. */
function conditions(origin: string | undefined, start: Start | undefined): { text: string; values: SQLInputValue[] } {
  const values: SQLInputValue[] = [];
  let text = '';
  if (origin !== undefined) {
    text += ' and origin = ?';
    values.push(origin);
  }
  if (start !== undefined) {
    const { first, last, key } = partsOf(start.place);
    text += ` and (first > ? or (first = ? and (last < ? or (last = ? and key ${start.isIncluded ? '>=' : '>'} ?))))`;
    values.push(first, first, last, last, key);
  }
  return { text, values };
}

function matchOf({ id, key, ...ends }: Row): Match {
  return { id, place: addressPlace(ends, key) };
}

function later(one: End, other: End): End {
  return Buffer.compare(one, other) >= 0 ? one : other;
}
