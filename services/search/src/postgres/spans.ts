import type { FoundHoldings, FoundSpans, HoldingsQuery, InsideQuery, Spanned } from '../index-port.js';
import { spanOf } from './number-line.js';
import type { Reader } from './reader.js';
import type { Tables } from './tables.js';

/** Objects inside a range (`SearchIndex.spansInside`), by one statement in the order of an index. */
export async function spansInside(
  reader: Reader,
  source: string,
  { type, range, firstLevel, most }: InsideQuery,
): Promise<FoundSpans | undefined> {
  const { first, last } = spanOf(type, range);
  const found = await reader.rowsWithSerial<{ key: string; first: string; last: string }>(source, {
    plannedOnce: true,
    text: firstLevel ? firstLevelText : allText,
    values: [first, last, most],
  });
  if (found === undefined) return undefined;
  const spans = found.rows.map((row): Spanned => ({ key: row.key, first: BigInt(row.first), last: BigInt(row.last) }));
  return { serial: found.serial, spans };
}

/** $1 and $2 are the bounds of the range, $3 is the limit. */
const inside = 'd.last <= $2::numeric and not (d.first = $1::numeric and d.last = $2::numeric)';

function allText({ document }: Tables): string {
  return `select d.key, d.first, d.last from ${document} d
          where d.first between $1::numeric and $2::numeric and ${inside}
          order by d.first, d.last desc, d.key limit $3`;
}

/** Steps from one range to the next behind it, so that it reads none of what lies deeper. */
function firstLevelText({ document }: Tables): string {
  const next = `select d.first, d.last from ${document} d where ${inside} and d.first <= $2::numeric`;
  const nearest = 'order by d.first, d.last desc limit 1';
  return `with recursive top as (
            (${next} and d.first >= $1::numeric ${nearest})
            union all
            select next.* from top, lateral (${next} and d.first > top.last ${nearest}) next
          )
          select d.key, d.first, d.last from (select first, last from top limit $3) top
          join ${document} d on d.first = top.first and d.last = top.last
          order by d.first, d.last desc, d.key limit $3`;
}

/** The outermost objects of an organisation (`SearchIndex.holdings`), by one statement that steps over all others. */
export async function holdings(
  reader: Reader,
  source: string,
  { organisation, types, most }: HoldingsQuery,
): Promise<FoundHoldings | undefined> {
  const found = await reader.rowsWithSerial<{ position: bigint; key: string }>(source, {
    plannedOnce: true,
    text: ({ document }) => {
      const next = `select d.key, d.first, d.last from ${document} d where d.org = $1 and d.type = asked.type`;
      const nearest = 'order by d.first, d.last desc limit 1';
      return `
        select asked.position, top.key from unnest($2::text[]) with ordinality as asked (type, position), lateral (
          with recursive top as (
            (${next} ${nearest})
            union all
            select next.* from top, lateral (${next} and d.first > top.last ${nearest}) next
          )
          select key, first from top limit $3
        ) top
        order by asked.position, top.first`;
    },
    values: [organisation, types, most],
  });
  if (found === undefined) return undefined;
  const keys = types.map((): string[] => []);
  for (const { position, key } of found.rows) keys[Number(position) - 1]!.push(key);
  return { serial: found.serial, keys };
}
