import type { ObjectTypeName } from '@cadastre/rpsl';
import { objectType } from '@cadastre/rpsl';
import type pg from 'pg';
import type { IndexDocument, ObjectId } from '../index-port.js';
import { spanOf } from './number-line.js';
import type { Tables } from './tables.js';

/** The term as it is stored: types do not share their terms, so that a common one is read only for its type. */
export function storedTerm(type: ObjectTypeName, term: string): string {
  return `${objectType(type)!.shortName}:${term}`;
}

/** Writes documents in the place of what was there. Answers how many were not there before. */
export async function writeDocuments(
  client: pg.ClientBase,
  tables: Tables,
  documents: readonly IndexDocument[],
): Promise<number> {
  if (documents.length === 0) return 0;
  const { rows } = await client.query<{ inserted: number }>(upsert(tables.document), [
    JSON.stringify(documents.map(row)),
  ]);
  await writeHosts(client, tables, documents);
  return rows[0]!.inserted;
}

/** Answers how many there were. */
export async function deleteDocuments(
  client: pg.ClientBase,
  tables: Tables,
  ids: readonly ObjectId[],
): Promise<number> {
  if (ids.length === 0) return 0;
  const { rowCount } = await client.query(
    `delete from ${tables.document} d using unnest($1::text[], $2::text[]) as gone (type, key)
     where d.type = gone.type and d.key = gone.key`,
    [ids.map((id) => id.type), ids.map((id) => id.key)],
  );
  await deleteHosts(client, tables, ids);
  return rowCount ?? 0;
}

function upsert(table: string): string {
  return `
    with written as (
      insert into ${table} as stored
        (type, key, text, revision, serial, created, modified, tags, terms, first, last, origin)
      select type, key, text, revision, serial, created, modified, tags,
        array(select json_array_elements_text(terms)), first, last, origin
      from json_to_recordset($1::json) as given (
        type text, key text, text text, revision integer, serial bigint, created timestamptz, modified timestamptz,
        tags json, terms json, first numeric, last numeric, origin text)
      on conflict (type, key) do update set
        text = excluded.text, revision = excluded.revision, serial = excluded.serial, created = excluded.created,
        modified = excluded.modified, tags = excluded.tags, terms = excluded.terms, first = excluded.first,
        last = excluded.last, origin = excluded.origin
      returning stored.xmax = 0 as fresh)
    select count(*) filter (where fresh)::integer as inserted from written`;
}

function row(document: IndexDocument) {
  const { type, key, text, revision, created, modified, tags, range, origin } = document;
  return {
    type,
    key,
    text,
    revision,
    serial: String(document.serial),
    created,
    modified,
    tags,
    terms: document.terms.map((term) => storedTerm(type, term)),
    ...(range ? spanOf(type, range) : {}),
    origin,
  };
}

async function writeHosts(client: pg.ClientBase, tables: Tables, documents: readonly IndexDocument[]): Promise<void> {
  await deleteHosts(client, tables, documents);
  const pairs = documents.flatMap(({ key, hosts }) => hosts.map((host) => ({ host, key })));
  if (pairs.length === 0) return;
  await client.query(
    `insert into ${tables.host} (host, key) select * from unnest($1::text[], $2::text[]) on conflict do nothing`,
    [pairs.map((pair) => pair.host), pairs.map((pair) => pair.key)],
  );
}

/** Only domains have hosts, so their keys are enough. */
async function deleteHosts(client: pg.ClientBase, tables: Tables, ids: readonly ObjectId[]): Promise<void> {
  const keys = ids.filter((id) => id.type === 'domain').map((id) => id.key);
  if (keys.length > 0) await client.query(`delete from ${tables.host} where key = any($1)`, [keys]);
}
