import { objectTypeNames } from '@cadastre/rpsl';
import type { Beginning, Matches } from '../index-port.js';
import { objectsOf } from './load.js';
import type { Reader } from './reader.js';
import { type ObjectRow, objectColumns } from './rows.js';
import type { Tables } from './tables.js';

/** The objects whose key or name begins so (`SearchIndex.suggest`), by one statement that reads a few rows of indexes. */
export async function suggest(reader: Reader, source: string, beginning: Beginning): Promise<Matches | undefined> {
  const { key, name, limit } = beginning;
  const statement = { plannedOnce: true, text: textOf, values: [key, name, limit, objectTypeNames] } as const;
  const found = await reader.rowsWithSerial<ObjectRow>(source, statement);
  return found && { serial: found.serial, pages: objectsOf(reader, source, found.rows) };
}

/** Steps from one name and type to the next, over all objects that share them. */
function textOf({ document }: Tables): string {
  const between = (column: string, parameter: string) =>
    `${column} >= ${parameter} and ${column} < ${parameter} || chr(1114111)`;
  const named = `d.name is not null and ${between('d.name', '$2')}`;
  const next = 'order by d.name, d.type limit 1';
  return `
    with recursive called as (
      (select d.name, d.type, 1 as number from ${document} d where ${named} ${next})
      union all
      select following.name, following.type, called.number + 1 from called, lateral (
        select d.name, d.type from ${document} d where ${named} and (d.name, d.type) > (called.name, called.type) ${next}
      ) following where called.number < $3::integer
    ),
    found as (
      select called.name as matched, d.type, d.key from called, lateral (
        select d.type, d.key from ${document} d where d.name = called.name and d.type = called.type limit 1
      ) d
      union all
      select d.key, d.type, d.key from unnest($4::text[]) asked (type), lateral (
        select d.type, d.key from ${document} d where d.type = asked.type and ${between('d.key', '$1')}
        order by d.key limit $3::integer
      ) d
    ),
    first as (
      select type, key, min(matched) as matched from found group by type, key order by matched, type, key
      limit $3::integer
    )
    select ${objectColumns} from first join ${document} d on d.type = first.type and d.key = first.key
    order by first.matched, d.type, d.key`;
}
