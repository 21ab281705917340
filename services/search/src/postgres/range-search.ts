import type { Mode, Range } from '@cadastre/query';
import type { ObjectTypeName } from '@cadastre/rpsl';
import { type IndexedObject, type Matches, maximalPage, type Nearest, type TypeQuery } from '../index-port.js';
import { objectsOf } from './load.js';
import { spanOf } from './number-line.js';
import { containing, type RangeQuestion } from './questions.js';
import type { Reader } from './reader.js';
import type { Match, SharedStatement } from './shared-statement.js';

export type RangeQuery = Extract<TypeQuery, { kind: 'range' | 'covering' }>;

/** Searches around the ranges of queries that are alike, in pages, in the order of the number line. */
export type RangeSearch = (
  reader: Reader,
  source: string,
  queries: readonly RangeQuery[],
  signal: AbortSignal,
) => Promise<Matches | undefined>;

/** The first page comes in a statement with those of other searches, unless it may have to read much to find it. */
export function createRangeSearch({ together, alone }: SharedStatement): RangeSearch {
  return async (reader, source, queries, signal) => {
    const ask = queries.some(readsMuch) ? alone : together;
    const start = queries[0] && beginningOf(queries[0]);
    const found = await ask(source, { questions: queries.map((query) => questionOf(query, start)), signal });
    return found && { serial: found.serial, pages: pagesFrom(found.rows) };
    async function* pagesFrom(first: readonly Match[]): AsyncGenerator<readonly IndexedObject[]> {
      for (let rows = first; ; ) {
        const page = rows.slice(0, maximalPage);
        const found = page.filter(({ key }) => key !== null);
        yield* objectsOf(reader, source, found);
        if (page.length < maximalPage) return;
        const questions = queries.map((query) => questionOf(query, page.at(-1)));
        rows = (await alone(source, { questions, signal }))?.rows ?? [];
      }
    }
  };
}

export function isRangeQuery(query: TypeQuery): query is RangeQuery {
  return query.kind === 'range' || query.kind === 'covering';
}

/** Whether both can be asked one after the other: their types must come in the order of the number line. */
export function areAlike(one: RangeQuery, other: RangeQuery): boolean {
  const isBefore = BigInt(spanOf(one.type, one.range).last) < BigInt(spanOf(other.type, other.range).first);
  return isBefore && modeOf(one) === modeOf(other) && originOf(one) === originOf(other);
}

function modeOf(query: RangeQuery): Mode {
  return query.kind === 'range' ? query.mode : 'default';
}

function originOf(query: RangeQuery): string | null {
  return query.kind === 'range' ? (query.origin ?? null) : null;
}

/** An origin may be rare among all more specific ranges. */
function readsMuch(query: RangeQuery): boolean {
  return originOf(query) !== null && ['one-more', 'all-more'].includes(modeOf(query));
}

const kindOf: Record<Mode, RangeQuestion['kind']> = {
  ...{ default: 'nearest', 'one-less': 'nearest', exact: 'exact' },
  ...{ 'all-less': 'all-less', 'one-more': 'one-more', 'all-more': 'all-more' },
};

/** The place before all objects with the range from which the query finds objects. */
function beginningOf({ type, from }: RangeQuery): PlaceOnLine | undefined {
  return from?.range && { ...spanOf(type, from.range), key: '' };
}

type PlaceOnLine = Pick<Match, 'first' | 'last' | 'key'>;

/** The first page, or the one after a place. */
function questionOf(query: RangeQuery, after?: PlaceOnLine): RangeQuestion {
  const mode = modeOf(query);
  return {
    kind: kindOf[mode],
    ...spanOf(query.type, query.range),
    strict: mode === 'one-less',
    origin: originOf(query),
    ...(after && { after_first: after.first, after_last: after.last, after_key: after.key }),
  };
}

/** For each range, the smallest one that contains it and has irts (`SearchIndex.nearestWith`). */
export async function nearestWith(
  reader: Reader,
  source: string,
  type: ObjectTypeName,
  ranges: readonly Range[],
): Promise<(Nearest | undefined)[]> {
  const asked = ranges.map((range) => spanOf(type, range));
  const rows = await reader.rows<Nearest & { positions: number[] }>(source, {
    plannedOnce: true,
    // Sends each object once, however many ranges it is the nearest of.
    text: ({ document }) => `
      with nearest as (
        select enclosing.key, array_agg(asked.position::integer) as positions
        from unnest((select $2::numeric[]), (select $3::numeric[])) with ordinality as asked (first, last, position),
        lateral (
          select key from (
            select d.first, d.last, d.key from ${document} d
            where ${containing} and d.irts is not null
            offset 0
          ) containing
          order by first desc, last, key limit 1
        ) enclosing
        group by enclosing.key)
      select d.key, nearest.positions, d.irts as values
      from nearest join ${document} d on d.type = (select $1) and d.key = nearest.key`,
    values: [type, asked.map(({ first }) => first), asked.map(({ last }) => last)],
  });
  const found = new Map(
    rows.flatMap(({ key, values, positions }) => positions.map((position) => [position, { key, values }] as const)),
  );
  return ranges.map((_, at) => found.get(at + 1));
}
