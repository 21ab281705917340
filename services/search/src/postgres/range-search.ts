import type { ObjectTypeName } from '@cadastre/rpsl';
import {
  type IndexedObject,
  type Matches,
  type Mode,
  maximalPage,
  type Nearest,
  type Range,
  type TypeQuery,
} from '../index-port.js';
import { perTurn } from '../per-turn.js';
import { objectsOf } from './load.js';
import { type Span, spanOf } from './number-line.js';
import type { Reader, Statement } from './reader.js';
import { type ObjectRow, objectColumns } from './rows.js';

export type RangeQuery = Extract<TypeQuery, { kind: 'range' | 'covering' }>;

/** The end of a page: the ends of its last range on the number line, and the key of its last object there, if any. */
interface Cursor extends Span {
  readonly key: string | null;
}

type Row = ObjectRow & Cursor & { readonly item: number };

const columns = `${objectColumns}, d.first, d.last`;
const spans = "d.first is not null and numrange(d.first, d.last, '[]')";
const containing = `${spans} @> numrange(asked.first, asked.last, '[]')`;
const equal = 'd.first = asked.first and d.last = asked.last';
const address = 'd.first, d.last desc, d.key';
/** Objects of the requested origin, after the cursor. */
const wanted = `(asked.origin is null or d.origin = asked.origin) and (asked.after_first is null
  or (d.first, -d.last, d.key) > (asked.after_first, -asked.after_last, asked.after_key))`;

/** Searches around the ranges of queries that are alike, in pages, in the order of the number line. */
export type RangeSearch = (
  reader: Reader,
  source: string,
  queries: readonly RangeQuery[],
) => Promise<Matches | undefined>;

interface Asked {
  readonly source: string;
  readonly queries: readonly RangeQuery[];
}

/** The modes that find few ranges, and find them quickly: searches share statements. */
const quickModes: ReadonlySet<Mode> = new Set(['default', 'exact', 'one-less', 'all-less']);

/** One statement answers all quick searches of an event-loop turn in a mode. `shared` outlives every search. */
export function createRangeSearch(shared: Reader): RangeSearch {
  const quickly = perTurn((asked: readonly Asked[]) => searchTogether(shared, asked));
  return async (reader, source, queries) => {
    if (quickModes.has(modeOf(queries[0]!))) return quickly({ source, queries });
    const found = await reader.rowsWithSerial<Row>(source, rangeStatement([queries]));
    return found && { serial: found.serial, pages: pagesFrom(reader, source, queries, found.rows) };
  };
}

async function searchTogether(reader: Reader, asked: readonly Asked[]): Promise<(Matches | undefined)[]> {
  const found = new Map<Asked, Matches | undefined>();
  const kinds = Map.groupBy(asked, ({ source, queries }) => `${modeOf(queries[0]!)} ${source}`);
  await Promise.all(
    [...kinds.values()].map(async (group) => {
      const matches = await searchAlike(reader, group);
      for (const [at, one] of group.entries()) found.set(one, matches[at]);
    }),
  );
  return asked.map((one) => found.get(one));
}

/** Searches of one source in one mode. Those that do not fit into one page are searched again, alone. */
async function searchAlike(reader: Reader, group: readonly Asked[]): Promise<(Matches | undefined)[]> {
  const { source } = group[0]!;
  const found = await reader.rowsWithSerial<Row>(source, rangeStatement(group.map(({ queries }) => queries)));
  if (found === undefined) return group.map(() => undefined);
  const { serial, rows } = found;
  const isWhole = rows.length < maximalPage || group.length === 1;
  const end = isWhole ? group.length : rows.at(-1)!.item;
  const rowsOf = Map.groupBy(rows, ({ item }) => item);
  return Promise.all(
    group.map(async ({ queries }, at) => {
      if (at >= end) return (await searchAlike(reader, [group[at]!]))[0];
      return { serial, pages: pagesFrom(reader, source, queries, rowsOf.get(at) ?? []) };
    }),
  );
}

async function* pagesFrom(
  reader: Reader,
  source: string,
  queries: readonly RangeQuery[],
  first: readonly Row[],
): AsyncGenerator<readonly IndexedObject[]> {
  let page = first;
  for (;;) {
    yield* objectsOf(
      reader,
      source,
      page.filter(({ key }) => key !== null),
    );
    if (page.length < maximalPage) return;
    page = await reader.rows<Row>(source, rangeStatement([queries], page.at(-1)));
  }
}

export function isRangeQuery(query: TypeQuery): query is RangeQuery {
  return query.kind === 'range' || query.kind === 'covering';
}

/** Whether one statement can answer both, one after the other: their types must come in the order of the number line. */
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

/**
 * The first matches of searches in one mode, each a list of queries that are alike, or the next page of one search.
 * `offset 0` hides the values from the planner.
 */
function rangeStatement(searches: readonly (readonly RangeQuery[])[], after?: Cursor): Statement {
  const asked = searches.flatMap((queries, item) =>
    queries.map((query) => ({ item, origin: originOf(query), ...spanOf(query.type, query.range) })),
  );
  return {
    plannedOnce: true,
    text: ({ document }) => `
      select asked.item, d.* from (
        select unnest((select $1::integer[])) as item, unnest((select $2::numeric[])) as first,
          unnest((select $3::numeric[])) as last, unnest((select $4::text[])) collate "C" as origin,
          $5::numeric as after_first, $6::numeric as after_last, $7::text collate "C" as after_key
        offset 0
      ) asked, lateral (${around[modeOf(searches[0]![0]!)](document)}) d
      order by asked.item, ${address} limit ${maximalPage}`,
    values: [
      asked.map(({ item }) => item),
      asked.map(({ first }) => first),
      asked.map(({ last }) => last),
      asked.map(({ origin }) => origin),
      after?.first ?? null,
      after?.last ?? null,
      after?.key ?? null,
    ],
  };
}

/** The statement of each mode for one requested range. */
const around: Record<Mode, (table: string) => string> = {
  exact: (table) => `select ${columns} from ${table} d where ${equal} and ${wanted}
    order by ${address} limit ${maximalPage}`,
  default: (table) => nearest(table, 'true'),
  'one-less': (table) => nearest(table, `not (${equal})`),
  // Few ranges contain a range: find them first and sort them, instead of scanning in order.
  'all-less': (table) => `select * from (
      select ${columns} from ${table} d where ${containing} and ${wanted} offset 0
    ) d order by ${address} limit ${maximalPage}`,
  'one-more': firstLevel,
  'all-more': (table) => `select ${columns} from ${table} d
    where d.first between greatest(asked.first, asked.after_first) and asked.last and d.last <= asked.last
      and not (${equal}) and ${wanted}
    order by ${address} limit ${maximalPage}`,
};

/**
 * The smallest range that contains the requested one: stored ranges are nested, so it starts last. `offset 0` makes the
 * planner find the few ranges that contain it instead of scanning the addresses backwards.
 */
function nearest(table: string, condition: string): string {
  return `select ${columns} from (
      select first, last from (
        select d.first, d.last from ${table} d where ${containing} and ${condition} offset 0
      ) enclosing order by first desc, last limit 1
    ) enclosing join ${table} d on d.first = enclosing.first and d.last = enclosing.last
    where ${wanted} order by ${address} limit ${maximalPage}`;
}

/**
 * First-level more specifics: steps from one top range to the next, over everything inside it, up to a page of top
 * ranges. A top range without a wanted object gets a row too, from which the next page can continue.
 */
function firstLevel(table: string): string {
  const inside = `d.last <= asked.last and not (${equal}) order by d.first, d.last desc limit 1`;
  return `with recursive top as (
      (select d.first, d.last from ${table} d
        where d.first between greatest(asked.first, asked.after_first) and asked.last and ${inside})
      union all
      select next.first, next.last from top, lateral (
        select d.first, d.last from ${table} d where d.first > top.last and d.first <= asked.last and ${inside}
      ) next
    )
    select ${objectColumns}, top.first, top.last from (select first, last from top limit ${maximalPage}) top
    left join ${table} d on d.first = top.first and d.last = top.last and ${wanted}`;
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
            where ${spans} @> numrange(asked.first, asked.last, '[]')
              and d.irts is not null
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
