import {
  maxCounted,
  type NamedLike,
  type NameMatches,
  type NamePattern,
  type NamePlace,
  type NameQuery,
} from '../index-port.js';
import { objectsOf } from './load.js';
import type { Reader, Statement } from './reader.js';
import { type ObjectRow, objectColumns } from './rows.js';
import type { Tables } from './tables.js';

/** A statement compares at most so many texts: about 5 ms. Those that begin with the pattern's prefix are compared. */
const maxCompared = 5_000;

/** The place that the statement has reached comes with each row; rows without a key are there for it alone. */
type Row = { readonly [column in `reached_${keyof NamePlace}`]: string | null } & {
  readonly matched: string;
} & { readonly [column in keyof ObjectRow]: ObjectRow[column] | null };

/** A page of the objects whose name or key has a pattern (`SearchIndex.searchNames`), by one statement. */
export async function searchNames(reader: Reader, source: string, query: NameQuery): Promise<NameMatches | undefined> {
  const found = await reader.rowsWithSerial<Row>(source, statementOf(query));
  if (found === undefined) return undefined;
  const rows = found.rows.filter((row): row is Row & ObjectRow => row.key !== null);
  const page = rows.slice(0, query.limit);
  const last = page.at(-1);
  return {
    serial: found.serial,
    pages: objectsOf(reader, source, page),
    next:
      rows.length > page.length && last !== undefined
        ? { text: last.matched, key: last.key, type: last.type }
        : reachedBy(found.rows[0]),
  };
}

function reachedBy(row: Row | undefined): NamePlace | undefined {
  if (row === undefined || row.reached_type === null) return undefined;
  const { reached_text: text, reached_key: key, reached_type: type } = row;
  return { text, key, type } as NamePlace;
}

/** How many objects have a name or key with a pattern (`SearchIndex.countNames`), by one statement. */
export async function countNames(reader: Reader, source: string, named: NamedLike): Promise<number | undefined> {
  const [row] = await reader.rows<{ objects: bigint; compared: bigint }>(source, {
    plannedOnce: true,
    text: (tables) => `
      select count(*) filter (where matched like $7) as objects, count(*) as compared
      from (${comparedText(tables, named)}) d`,
    values: comparedValues(named, maxCounted + 1),
  });
  return row === undefined || row.compared > maxCounted ? undefined : Number(row.objects);
}

function statementOf({ limit, after, ...named }: NameQuery): Statement {
  const { prefix, text } = named.pattern;
  const isBounded = text !== prefix && text !== `${prefix}*`;
  return {
    plannedOnce: true,
    text: (tables) => pageText(tables, comparedText(tables, named)),
    values: [...comparedValues(named, isBounded ? maxCompared : limit + 1, after), limit + 1],
  };
}

/** The values of `comparedText`, and the pattern as $7. */
function comparedValues({ pattern, types }: NamedLike, most: number, after?: NamePlace): unknown[] {
  const { prefix, text } = pattern;
  return [
    types,
    after !== undefined && after.text > prefix ? after.text : prefix,
    text === prefix ? prefix : `${prefix}\u{10ffff}`,
    after?.text ?? '',
    after?.key ?? '',
    after?.type ?? '',
    likeOf(pattern),
    most,
  ];
}

function likeOf({ text }: NamePattern): string {
  return text
    .replace(/[\\%_]/g, '\\$&')
    .replaceAll('*', '%')
    .replaceAll('?', '_');
}

const order = 'matched, key, type';

/** Each type and column is a range of an index, read from where the search continues, in the order of the result. */
function comparedText({ document }: Tables, { field }: NamedLike): string {
  const rangeOf = (column: string) => `
    select d.* from unnest($1::text[]) asked (type), lateral (
      select d.type, d.${column} as matched, d.key from ${document} d
      where d.type = asked.type and d.${column} is not null
        and (d.${column}, d.key) >= ($2, $5) and d.${column} <= $3
        and (d.${column} <> $4 or d.key <> $5 or d.type > $6)
      order by d.${column}, d.key limit $8::integer
    ) d`;
  const columns = field === 'key' ? ['key'] : ['name', 'person_name'];
  return `select * from (${columns.map(rangeOf).join(' union all ')}) d order by ${order} limit $8::integer`;
}

function pageText({ document }: Tables, compared: string): string {
  return `
    with compared as materialized (${compared}),
    reached as (
      select matched as reached_text, key as reached_key, type as reached_type from compared
      order by ${order} offset $8::integer - 1
    ),
    page as (select * from compared where matched like $7 order by ${order} limit $9::integer)
    select reached.*, found.* from (select) one left join reached on true left join (
      select page.matched, ${objectColumns} from page join ${document} d on d.type = page.type and d.key = page.key
    ) found on true order by ${order}`;
}
