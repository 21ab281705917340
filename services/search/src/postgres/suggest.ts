import { objectTypeNames } from '@cadastre/rpsl';
import type { Beginning, Matches } from '../index-port.js';
import { suggestedNames } from '../stored-terms.js';
import { objectsOf } from './load.js';
import type { Reader } from './reader.js';
import { type ObjectRow, objectColumns } from './rows.js';
import type { Tables } from './tables.js';

/** The objects whose key or name begins so (`SearchIndex.suggest`), by one statement that reads a few rows of indexes. */
export async function suggest(reader: Reader, source: string, beginning: Beginning): Promise<Matches | undefined> {
  const { key, name, limit } = beginning;
  const statement = {
    plannedOnce: true,
    text: textOf,
    values: [key, name, limit, objectTypeNames, suggestedNames],
  } as const;
  const found = await reader.rowsWithSerial<ObjectRow>(source, statement);
  return found && { serial: found.serial, pages: objectsOf(reader, source, found.rows) };
}

/** Steps from one name of a type to the next, over all objects that share it. */
function textOf({ document }: Tables): string {
  const between = (column: string, parameter: string) =>
    `${column} >= ${parameter} and ${column} < ${parameter} || chr(1114111)`;
  const firstName = (type: string, condition: string) => `
    select d.name, d.key from ${document} d
    where d.type = ${type} and d.name is not null and ${between('d.name', '$2')} and ${condition}
    order by d.name, d.key limit 1`;
  return `
    with recursive called as (
      select asked.type, first.name, first.key, 1 as number
      from unnest($5::text[]) asked (type), lateral (${firstName('asked.type', 'true')}) first
      union all
      select called.type, following.name, following.key, called.number + 1
      from called, lateral (${firstName('called.type', 'd.name > called.name')}) following
      where called.number < $3::integer
    ),
    found as (
      select name as matched, type, key from called
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
