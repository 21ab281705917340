import type { ObjectTypeName } from '@cadastre/rpsl';
import { objectType } from '@cadastre/rpsl';
import { sendRows } from '@cadastre/service';
import { type CopyRows, createCopyRows } from '@cadastre/service/copy-rows';
import type pg from 'pg';
import type { IndexDocument, ObjectId } from '../index-port.js';
import { spanOf } from './number-line.js';
import type { Tables } from './tables.js';

/** The stored form of a term: it includes the type, so that a common term is read for one type only. */
export function storedTerm(type: ObjectTypeName, term: string): string {
  return `${objectType(type)!.shortName}:${term}`;
}

/** Inserts or replaces documents. Returns the number of new ones. */
export async function writeDocuments(
  client: pg.ClientBase,
  tables: Tables,
  documents: readonly IndexDocument[],
): Promise<number> {
  if (documents.length === 0) return 0;
  const values = columns.map(({ value }) => documents.map(value));
  const { rows } = await client.query<{ inserted: number }>(upsert(tables.document), values);
  await writeHosts(client, tables, documents);
  return rows[0]!.inserted;
}

/** Inserts documents that the tables do not have, by COPY. */
export async function copyDocuments(
  client: pg.ClientBase,
  tables: Tables,
  documents: readonly IndexDocument[],
): Promise<void> {
  const rows = createCopyRows();
  for (const document of documents) writeDocument(rows, document);
  await sendRows(client, `${tables.document} (${columns.map(({ name }) => name).join()})`, [rows.bytes()]);
  const hosts = createCopyRows();
  for (const { key, host } of hostPairs(documents)) {
    hosts.row(2);
    hosts.text(host);
    hosts.text(key);
  }
  if (hosts.size() > 0) await sendRows(client, `${tables.host} (host, key)`, [hosts.bytes()]);
}

/** Writes the row of a document in the order of `columns`. */
function writeDocument(rows: CopyRows, document: IndexDocument): void {
  const { type, created, range, origin } = document;
  rows.row(columns.length);
  rows.text(type);
  rows.text(document.key);
  rows.text(document.text);
  rows.int32(document.revision);
  rows.int64(Number(document.serial));
  if (created === undefined) rows.empty();
  else rows.timestamp(created);
  rows.timestamp(document.modified);
  rows.text(JSON.stringify(document.tags));
  rows.textArray(document.terms.map((term) => storedTerm(type, term)));
  const span = range && spanOf(type, range);
  if (span === undefined) {
    rows.empty();
    rows.empty();
  } else {
    rows.numeric(span.first);
    rows.numeric(span.last);
  }
  if (origin === undefined) rows.empty();
  else rows.text(origin);
}

/** Returns the number of deleted documents. */
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

type Value = string | number | bigint | Date | null;

/** The columns of the document table, each sent as one array: much faster than rows or JSON. */
const columns: readonly { name: string; type: string; value: (document: IndexDocument) => Value }[] = [
  { name: 'type', type: 'text', value: ({ type }) => type },
  { name: 'key', type: 'text', value: ({ key }) => key },
  { name: 'text', type: 'text', value: ({ text }) => text },
  { name: 'revision', type: 'integer', value: ({ revision }) => revision },
  { name: 'serial', type: 'bigint', value: ({ serial }) => String(serial) },
  { name: 'created', type: 'timestamptz', value: ({ created }) => created ?? null },
  { name: 'modified', type: 'timestamptz', value: ({ modified }) => modified },
  { name: 'tags', type: 'json', value: ({ tags }) => JSON.stringify(tags) },
  { name: 'terms', type: 'text[]', value: termsLiteral },
  { name: 'first', type: 'numeric', value: ({ type, range }) => (range ? spanOf(type, range).first : null) },
  { name: 'last', type: 'numeric', value: ({ type, range }) => (range ? spanOf(type, range).last : null) },
  { name: 'origin', type: 'text', value: ({ origin }) => origin ?? null },
];

/** The terms as a PostgreSQL array literal, since nested arrays cannot be unnested one level. */
function termsLiteral({ type, terms }: IndexDocument): string {
  const quoted = terms.map((term) => `"${storedTerm(type, term).replace(/["\\]/g, '\\$&')}"`);
  return `{${quoted.join()}}`;
}

function upsert(table: string): string {
  const names = columns.map(({ name }) => name);
  const arrays = columns.map(({ type }, at) => `$${at + 1}::${type === 'text[]' ? 'text' : type}[]`);
  const given = columns.map(({ name, type }) => (type === 'text[]' ? `${name}::text[]` : name));
  const updates = names.slice(2).map((name) => `${name} = excluded.${name}`);
  return `
    with written as (
      insert into ${table} as stored (${names.join()})
      select ${given.join()} from unnest(${arrays.join()}) as given (${names.join()})
      on conflict (type, key) do update set ${updates.join()}
      returning stored.xmax = 0 as fresh)
    select count(*) filter (where fresh)::integer as inserted from written`;
}

async function writeHosts(client: pg.ClientBase, tables: Tables, documents: readonly IndexDocument[]): Promise<void> {
  await deleteHosts(client, tables, documents);
  const pairs = hostPairs(documents);
  if (pairs.length === 0) return;
  await client.query(
    `insert into ${tables.host} (host, key) select * from unnest($1::text[], $2::text[]) on conflict do nothing`,
    [pairs.map((pair) => pair.host), pairs.map((pair) => pair.key)],
  );
}

function hostPairs(documents: readonly IndexDocument[]): { host: string; key: string }[] {
  return documents.flatMap(({ key, hosts }) => hosts.map((host) => ({ host, key })));
}

/** Only domains have hosts, so their keys are enough. */
async function deleteHosts(client: pg.ClientBase, tables: Tables, ids: readonly ObjectId[]): Promise<void> {
  const keys = ids.filter((id) => id.type === 'domain').map((id) => id.key);
  if (keys.length > 0) await client.query(`delete from ${tables.host} where key = any($1)`, [keys]);
}
