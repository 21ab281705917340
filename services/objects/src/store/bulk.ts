import type { ObjectTypeName } from '@cadastre/rpsl';
import type pg from 'pg';
import { copyRows } from './bulk-copy.js';
import { hash64, hashHalves } from './hash64.js';
import { operations } from './operations.js';
import { rangeLiteral, type Span } from './spans.js';
import type { Db, ObjectId } from './stored-object.js';
import { typeCodes } from './type-codes.js';

/** The new state of an object as a bulk load stores it. */
export interface BulkState {
  readonly type: ObjectTypeName;
  readonly key: string;
  readonly text: string;
  readonly created: Date | undefined;
  readonly modified: Date;
  /** The texts that the index of references hashes: `class:key`. */
  readonly references: readonly string[];
  readonly span: Span | undefined;
  readonly revision: number;
  readonly serial: number;
}

/** The stored state of a key before a load. */
export interface KnownState {
  readonly revision: number;
  readonly deleted: boolean;
  readonly text: string;
}

/** The stored states of these keys, in the same order. */
export async function knownStates(
  db: Db,
  sourceId: number,
  keys: readonly Pick<BulkState, 'type' | 'key'>[],
): Promise<(KnownState | undefined)[]> {
  const { rows } = await db.query<KnownState & { position: bigint }>({
    name: 'known-states',
    text: `select wanted.position, o.revision, o.deleted, o.text
           from unnest($2::smallint[], $3::text[]) with ordinality as wanted (type, key, position)
           join object o on o.source_id = $1 and o.type = wanted.type and o.key = wanted.key collate "C"`,
    values: [sourceId, keys.map((one) => typeCodes[one.type]), keys.map((one) => one.key)],
  });
  const known = new Array<KnownState | undefined>(keys.length).fill(undefined);
  for (const row of rows) known[Number(row.position) - 1] = row;
  return known;
}

/** Inserts objects whose keys never existed. */
export async function insertMany(client: pg.ClientBase, sourceId: number, states: readonly BulkState[]): Promise<void> {
  if (states.length === 0) return;
  const columns = 'source_id, type, revision, serial, announced, created, modified, key, text, refs, span, span6';
  await copyRows(client, `object (${columns})`, states, (copy, state) => {
    copy.row(12);
    copy.int16(sourceId);
    copy.int16(typeCodes[state.type]);
    copy.int32(state.revision);
    copy.int64(state.serial);
    copy.int64(state.serial);
    if (state.created === undefined) copy.empty();
    else copy.timestamp(state.created);
    copy.timestamp(state.modified);
    copy.text(state.key);
    copy.text(state.text);
    copy.int64Array([...new Set(state.references)].map(hashHalves));
    if (state.span?.column === 'span') copy.int64Range(state.span.lower, state.span.upper);
    else copy.empty();
    if (state.span?.column === 'span6') copy.numericRange(state.span.lower, state.span.upper);
    else copy.empty();
  });
}

/** Stores new states of existing or deleted objects; the old states become versions. */
export async function replaceMany(db: Db, sourceId: number, states: readonly BulkState[]): Promise<void> {
  if (states.length === 0) return;
  await db.query({
    name: 'replace-many',
    text: `with new as materialized (
             select * from unnest($2::smallint[], $3::text[], $4::int[], $5::bigint[], $6::timestamptz[],
               $7::timestamptz[], $8::text[], $9::text[], $10::text[], $11::text[])
               as new (type, key, revision, serial, created, modified, text, refs, span, span6)
           ), superseded as (
             insert into version (source_id, type, key, revision, serial, created, operation, instant, text)
             select o.source_id, o.type, o.key, o.revision, o.serial, o.created, ${operations.update}, o.modified, o.text
             from new join object o on o.source_id = $1 and o.type = new.type and o.key = new.key collate "C"
             where not o.deleted
           )
           update object o set revision = new.revision, serial = new.serial, announced = new.serial, deleted = false,
             created = new.created, modified = new.modified, text = new.text, refs = new.refs::bigint[],
             span = new.span::int8range, span6 = new.span6::numrange
           from new where o.source_id = $1 and o.type = new.type and o.key = new.key collate "C"`,
    values: [
      sourceId,
      states.map((one) => typeCodes[one.type]),
      states.map((one) => one.key),
      states.map((one) => one.revision),
      states.map((one) => one.serial),
      states.map((one) => one.created ?? null),
      states.map((one) => one.modified),
      states.map((one) => one.text),
      states.map((one) => `{${[...new Set(one.references)].map(hash64).join()}}`),
      states.map((one) => spanLiteral(one.span, 'span')),
      states.map((one) => spanLiteral(one.span, 'span6')),
    ],
  });
}

function spanLiteral(span: Span | undefined, column: Span['column']): string | null {
  return span?.column === column ? rangeLiteral(span) : null;
}

/** Inserts changes of new states into the change feed. */
export async function insertChanges(
  client: pg.ClientBase,
  sourceId: number,
  states: readonly BulkState[],
  instant: Date,
): Promise<void> {
  if (states.length === 0) return;
  const columns = 'source_id, serial, type, operation, revision, instant, key';
  await copyRows(client, `change (${columns})`, states, (copy, state) => {
    copy.row(7);
    copy.int16(sourceId);
    copy.int64(state.serial);
    copy.int16(typeCodes[state.type]);
    copy.int16(operations.update);
    copy.int32(state.revision);
    copy.timestamp(instant);
    copy.text(state.key);
  });
}

/** Deletes existing objects: writes versions of the last state and the deletion, and a change; removes tags. */
export async function deleteMany(
  db: Db,
  ids: readonly ObjectId[],
  deletion: { readonly firstSerial: bigint; readonly instant: Date; readonly reason: string },
): Promise<void> {
  await db.query({
    name: 'delete-many',
    text: `with gone as materialized (
             select o.*, $4::bigint + one.position - 1 as last_serial
             from unnest($1::smallint[], $2::smallint[], $3::text[]) with ordinality as one (source_id, type, key, position)
             join object o on o.source_id = one.source_id and o.type = one.type and o.key = one.key collate "C"
           ), states as (
             insert into version (source_id, type, key, revision, serial, created, operation, instant, text)
             select source_id, type, key, revision, serial, created, ${operations.update}, modified, text from gone
           ), deletions as (
             insert into version (source_id, type, key, revision, serial, created, operation, instant, text, reason)
             select source_id, type, key, revision + 1, last_serial, created, ${operations.delete}, $5, text, $6 from gone
           ), untagged as (
             delete from tag t using gone where t.source_id = gone.source_id and t.type = gone.type and t.key = gone.key
           ), announced as (
             insert into change (source_id, type, key, revision, serial, operation, instant)
             select source_id, type, key, revision + 1, last_serial, ${operations.delete}, $5 from gone
           )
           update object o set revision = o.revision + 1, serial = gone.last_serial, announced = gone.last_serial,
             modified = $5, deleted = true, refs = '{}', span = null, span6 = null
           from gone where o.source_id = gone.source_id and o.type = gone.type and o.key = gone.key`,
    values: [
      ids.map((id) => id.sourceId),
      ids.map((id) => typeCodes[id.type]),
      ids.map((id) => id.key),
      deletion.firstSerial,
      deletion.instant,
      deletion.reason,
    ],
  });
}
