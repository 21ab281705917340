import type { ObjectTypeName } from '@cadastre/rpsl';
import type { CopyRows } from '@cadastre/service/copy-rows';
import { hashHalves } from '@cadastre/service/hash64';
import type pg from 'pg';
import type { IndexDocument, ObjectId } from '../index-port.js';
import { packText } from '../packed-text.js';
import { irtsOf, orgOf, termHash, typedTerm } from '../stored-terms.js';
import { spanOf } from './number-line.js';
import { storedWords } from './stored-words.js';
import type { Tables } from './tables.js';

/** The stored form of a term: its hash, as a decimal bigint. */
export function storedTerm(type: ObjectTypeName, term: string): string {
  return String(termHash(type, term));
}

/** Documents and deletions for a generation's tables. */
export interface Writes {
  readonly documents: readonly IndexDocument[];
  readonly deletions: readonly ObjectId[];
}

/** Writes the row of a document, in the order of `documentColumns`. */
export function writeDocument(rows: CopyRows, document: IndexDocument): void {
  const { type, created, range, origin } = document;
  rows.row(columns.length);
  rows.text(type);
  rows.text(document.key);
  rows.text(packText(document.text, document));
  rows.int32(Buffer.byteLength(document.text));
  rows.int32(document.revision);
  rows.int64(Number(document.serial));
  if (created === undefined) rows.empty();
  else rows.timestamp(created);
  rows.timestamp(document.modified);
  if (document.tags.length === 0) rows.empty();
  else rows.text(JSON.stringify(document.tags));
  rows.int64Array(document.terms.map((term) => hashHalves(typedTerm(type, term))));
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
  const org = orgOf(document);
  if (org === null) rows.empty();
  else rows.text(org);
  const irts = irtsOf(document);
  if (irts.length === 0) rows.empty();
  else rows.textArray(irts);
  if (document.name === undefined) rows.empty();
  else rows.text(document.name);
  if (document.personName === undefined) rows.empty();
  else rows.text(document.personName);
  rows.int32Array(storedWords(document));
}

/**
 * One statement that inserts or replaces documents and deletes others, if the query `condition` has a row; its
 * parameters come before those of `writeValues`. Then `finish` runs, a statement that can refer to `gained`: the number
 * of documents that the tables have more.
 */
export function writeStatement(tables: Tables, condition: string, parameters: number, finish: string): string {
  const names = columns.map(({ name }) => name);
  const parameter = (at: number) => `$${parameters + at}`;
  const arrays = columns.map(({ type }, at) => `${parameter(at + 1)}::${isArray(type) ? 'text' : type}[]`);
  const given = columns.map(({ name, type }) => (isArray(type) ? `given.${name}::${type}` : `given.${name}`));
  const updates = names.slice(2).map((name) => `${name} = excluded.${name}`);
  const [goneTypes, goneKeys, hosts, hostKeys] = [1, 2, 3, 4].map((at) => parameter(columns.length + at));
  // A host that stays must not be deleted: the insertion would still see it. Only domains have hosts, so their keys are
  // enough.
  return `
    with allowed as materialized (${condition}),
    written as (
      insert into ${tables.document} as stored (${names.join()})
      select ${given.join()} from unnest(${arrays.join()}) as given (${names.join()}), allowed
      on conflict (type, key) do update set ${updates.join()}
      returning stored.xmax = 0 as fresh
    ),
    gone as (
      delete from ${tables.document} d using unnest(${goneTypes}::text[], ${goneKeys}::text[]) as gone (type, key), allowed
      where d.type = gone.type and d.key = gone.key
      returning 1
    ),
    unhosted as (
      delete from ${tables.host} h using (
        select key from unnest(${arrays[0]}, ${arrays[1]}) as given (type, key) where type = 'domain'
        union all select key from unnest(${goneTypes}::text[], ${goneKeys}::text[]) as gone (type, key) where type = 'domain'
      ) as changed, allowed
      where h.key = changed.key
        and (h.host, h.key) not in (select host, key from unnest(${hosts}::text[], ${hostKeys}::text[]) as kept (host, key))
    ),
    hosted as (
      insert into ${tables.host} (host, key)
      select host, key from unnest(${hosts}::text[], ${hostKeys}::text[]) as kept (host, key), allowed
      on conflict do nothing
    ),
    gained as (
      select (select count(*) from written where fresh) - (select count(*) from gone) as gained
    )
    ${finish}`;
}

/** The values of the parameters of `writeStatement`. */
export function writeValues({ documents, deletions }: Writes): unknown[] {
  const hosts = hostPairs(documents);
  return [
    ...columns.map(({ value }) => documents.map(value)),
    deletions.map(({ type }) => type),
    deletions.map(({ key }) => key),
    hosts.map(({ host }) => host),
    hosts.map(({ key }) => key),
  ];
}

/** Writes to tables. Returns the number of documents that they have more. */
export async function write(client: pg.ClientBase, tables: Tables, writes: Writes): Promise<number> {
  if (writes.documents.length + writes.deletions.length === 0) return 0;
  const { rows } = await client.query<{ gained: bigint }>(
    writeStatement(tables, 'select', 0, 'select gained from gained'),
    writeValues(writes),
  );
  return Number(rows[0]!.gained);
}

type Value = string | number | bigint | Date | null;

/** The columns of the document table, each sent as one array: much faster than rows or JSON. */
const columns: readonly { name: string; type: string; value: (document: IndexDocument) => Value }[] = [
  { name: 'type', type: 'text', value: ({ type }) => type },
  { name: 'key', type: 'text', value: ({ key }) => key },
  { name: 'text', type: 'text', value: (document) => packText(document.text, document) },
  { name: 'size', type: 'integer', value: ({ text }) => Buffer.byteLength(text) },
  { name: 'revision', type: 'integer', value: ({ revision }) => revision },
  { name: 'serial', type: 'bigint', value: ({ serial }) => String(serial) },
  { name: 'created', type: 'timestamptz', value: ({ created }) => created ?? null },
  { name: 'modified', type: 'timestamptz', value: ({ modified }) => modified },
  { name: 'tags', type: 'json', value: ({ tags }) => (tags.length === 0 ? null : JSON.stringify(tags)) },
  {
    name: 'terms',
    type: 'bigint[]',
    value: ({ type, terms }) => arrayLiteral(terms.map((term) => storedTerm(type, term))),
  },
  { name: 'first', type: 'numeric', value: ({ type, range }) => (range ? spanOf(type, range).first : null) },
  { name: 'last', type: 'numeric', value: ({ type, range }) => (range ? spanOf(type, range).last : null) },
  { name: 'origin', type: 'text', value: ({ origin }) => origin ?? null },
  { name: 'org', type: 'text', value: orgOf },
  { name: 'irts', type: 'text[]', value: irtsLiteral },
  { name: 'name', type: 'text', value: ({ name }) => name ?? null },
  { name: 'person_name', type: 'text', value: ({ personName }) => personName ?? null },
  { name: 'words', type: 'integer[]', value: (document) => arrayLiteral(storedWords(document).map(String)) },
];

/** The names of the columns, for COPY. */
export const documentColumns = columns.map(({ name }) => name).join();

function isArray(type: string): boolean {
  return type.endsWith('[]');
}

function irtsLiteral(document: IndexDocument): string | null {
  const irts = irtsOf(document);
  return irts.length === 0 ? null : arrayLiteral(irts.map((irt) => `"${irt.replace(/["\\]/g, '\\$&')}"`));
}

/** A PostgreSQL array literal, since nested arrays cannot be unnested one level. */
function arrayLiteral(quoted: readonly string[]): string {
  return `{${quoted.join()}}`;
}

/** The rows of the host table. */
export function hostPairs(documents: readonly IndexDocument[]): { host: string; key: string }[] {
  return documents.flatMap(({ key, hosts }) => hosts.map((host) => ({ host, key })));
}
