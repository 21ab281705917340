import { type IndexedObject, type Mode, maximalPage, type TypeQuery } from '../index-port.js';
import { type Span, spanOf } from './number-line.js';
import type { Reader, Statement } from './reader.js';
import { indexedObject, type ObjectRow, objectColumns } from './rows.js';

type RangeQuery = Extract<TypeQuery, { kind: 'range' | 'covering' }>;

/** Where a page ended: the ends of its last range on the number line, and the key. */
interface Cursor extends Span {
  readonly key: string;
}

type Row = ObjectRow & Cursor;

const columns = `${objectColumns}, d.first, d.last`;
/** Parameters $1 and $2 are the ends of the range asked for, $3 an origin or null. */
const asked = "numrange($1, $2, '[]')";
const spans = "d.first is not null and numrange(d.first, d.last, '[]')";
const equal = 'd.first = $1 and d.last = $2';
const ofOrigin = '($3::text is null or d.origin = $3)';
const address = 'd.first, d.last desc, d.key';

/** Matches around a range, page by page. */
export async function* rangeSearch(
  reader: Reader,
  source: string,
  query: RangeQuery,
): AsyncGenerator<readonly IndexedObject[]> {
  const span = spanOf(query.type, query.range);
  const origin = query.kind === 'range' ? (query.origin ?? null) : null;
  const values = [span.first, span.last, origin];
  const mode = query.kind === 'range' ? query.mode : 'default';
  const pages = mode === 'one-more' ? topPages(reader, source, values) : plainPages(reader, source, mode, values);
  for await (const rows of pages) yield rows.map((row) => indexedObject(source, row));
}

/** Which objects a mode means, besides the origin. */
const conditions: Record<Exclude<Mode, 'one-more'>, (table: string) => string> = {
  exact: () => equal,
  default: (table) => `(d.first, d.last) = ${nearest(table, 'true')}`,
  'one-less': (table) => `(d.first, d.last) = ${nearest(table, `not (${equal})`)}`,
  'all-less': () => `${spans} @> ${asked}`,
  'all-more': () => `d.first between $1 and $2 and d.last <= $2 and not (${equal})`,
};

/**
 * The smallest range that contains the one asked for: stored ranges are nested, so it begins last. `offset 0` keeps the
 * planner from walking the addresses backwards instead of asking for the few ranges that contain it.
 */
function nearest(table: string, condition: string): string {
  return `(select first, last from (
      select d.first, d.last from ${table} d where ${spans} @> ${asked} and ${condition} offset 0) enclosing
    order by first desc, last limit 1)`;
}

async function* plainPages(
  reader: Reader,
  source: string,
  mode: Exclude<Mode, 'one-more'>,
  values: readonly unknown[],
): AsyncGenerator<readonly Row[]> {
  let after: Cursor | undefined;
  do {
    const page: Row[] = await reader.rows(source, plainStatement(mode, values, after));
    if (page.length > 0) yield page;
    after = page.length === maximalPage ? page.at(-1) : undefined;
  } while (after !== undefined);
}

function plainStatement(
  mode: Exclude<Mode, 'one-more'>,
  values: readonly unknown[],
  after: Cursor | undefined,
): Statement {
  const further = `and d.first >= $4 and (d.first > $4 or d.last < $5 or (d.last = $5 and d.key > $6))`;
  const found = (table: string) =>
    `select ${columns} from ${table} d where ${conditions[mode](table)} and ${ofOrigin} ${after ? further : ''}`;
  return {
    plannedOnce: true,
    // What contains a range is little: found first and then put in order, instead of looked for in the order.
    text: ({ document }) =>
      mode === 'all-less'
        ? `select * from (${found(document)} offset 0) d order by ${address} limit ${maximalPage}`
        : `${found(document)} order by ${address} limit ${maximalPage}`,
    values: after ? [...values, after.first, after.last, after.key] : values,
  };
}

/** First-level more specifics: the ranges at the top are found by stepping from one to the next, over all they hold. */
async function* topPages(reader: Reader, source: string, values: readonly unknown[]): AsyncGenerator<readonly Row[]> {
  let tops: Span[] = await reader.rows(source, topStatement(values));
  while (tops.length > 0) {
    yield* pagesAt(reader, source, tops, values[2]);
    tops = tops.length < maximalPage ? [] : await reader.rows(source, topStatement(values, tops.at(-1)));
  }
}

/** Up to a page of ranges at the top, beginning after one of them. */
function topStatement(values: readonly unknown[], after?: Span): Statement {
  const inside = `d.last <= $2 and not (${equal}) order by d.first, d.last desc limit 1`;
  const start = after ? 'd.first > $3 and d.first between $1 and $2' : 'd.first between $1 and $2';
  return {
    plannedOnce: true,
    text: ({ document }) => `
      with recursive top as (
        (select d.first, d.last from ${document} d where ${start} and ${inside})
        union all
        select next.first, next.last from top, lateral (
          select d.first, d.last from ${document} d where d.first > top.last and d.first <= $2 and ${inside}
        ) next
      )
      select first, last from top limit ${maximalPage}`,
    values: after ? [values[0], values[1], after.last] : [values[0], values[1]],
  };
}

/** Everything at some ranges, in pages. */
async function* pagesAt(
  reader: Reader,
  source: string,
  at: readonly Span[],
  origin: unknown,
): AsyncGenerator<readonly Row[]> {
  const values = [at.map((span) => span.first), at.map((span) => span.last), origin];
  let after: Cursor | undefined;
  do {
    const page: Row[] = await reader.rows(source, {
      text: ({ document }) => `
        select ${columns} from ${document} d
        join unnest($1::numeric[], $2::numeric[]) as top (first, last) using (first, last)
        where ${ofOrigin} ${after ? 'and (d.first > $4 or (d.first = $4 and d.key > $5))' : ''}
        order by ${address} limit ${maximalPage}`,
      values: after ? [...values, after.first, after.key] : values,
    });
    if (page.length > 0) yield page;
    after = page.length === maximalPage ? page.at(-1) : undefined;
  } while (after !== undefined);
}
