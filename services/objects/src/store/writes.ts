import type { RpslObject } from '@cadastre/rpsl';
import { hash64 } from '@cadastre/service/hash64';
import { handleParts } from './handle-names.js';
import { operations } from './operations.js';
import { indexedTexts } from './references.js';
import { changeChannel } from './serials.js';
import { rangeLiteral, spanOfObject } from './spans.js';
import type { Db, ObjectId, StoredObject } from './stored-object.js';
import { typeCodes } from './type-codes.js';

/** The new state of an object. */
export interface NewState {
  readonly object: RpslObject;
  /** The same object as text, for readers. */
  readonly text: string;
  /** Of a key-cert: `CertificateFacts.signingSubkeys`. */
  readonly signingSubkeys: readonly string[];
  /** Time of the write. */
  readonly instant: Date;
}

/**
 * The errors (SQLSTATE) of a key and of a handle that were taken since they were read. Locks prevent this, but replicas of
 * the release before do not take those of handles.
 */
export const takenStates: readonly string[] = ['23505', '23502'];

// Each change is one statement, which is sent when its function is called. It takes the next serial of the source, as
// `takeSerials` does, and announces the commit. Its parts see the stored state before it.

/**
 * Inserts an object with its change, and takes its handle for ever. `stored` is the deleted object of the same key, if
 * there was one: the revision continues from it. Fails with one of `takenStates` when the key or its handle was taken in
 * the meantime.
 */
export async function createObject(
  db: Db,
  id: ObjectId,
  stored: StoredObject | undefined,
  state: NewState & { readonly created: Date | undefined },
): Promise<StoredObject> {
  const created = {
    ...id,
    revision: (stored?.revision ?? 0) + 1,
    deleted: false,
    created: state.created,
    modified: state.instant,
    text: state.text,
    tags: [],
  };
  const values = stateValues(created, state);
  if (stored !== undefined) return { ...created, serial: await store(db, 'restore-object', restoring, values) };
  const handle = handleParts(id.type, id.key);
  const serial =
    handle === undefined
      ? await store(db, 'create-object', creating, values)
      : await store(db, 'create-numbered-object', creatingNumbered, [
          ...values,
          handle.kind,
          handle.stem,
          handle.number,
        ]);
  return { ...created, serial };
}

/** Updates an existing object and inserts its old state as a version, and a change. */
export async function updateObject(db: Db, stored: StoredObject, state: NewState): Promise<StoredObject> {
  const { text, instant: modified } = state;
  const updated = { ...stored, revision: stored.revision + 1, modified, text };
  return { ...updated, serial: await store(db, 'update-object', updating, stateValues(updated, state)) };
}

/** Deletes an existing object and its tags; keeps its history and its handle. */
export async function deleteObject(
  db: Db,
  stored: StoredObject,
  { instant, reason }: { readonly instant: Date; readonly reason: string },
): Promise<StoredObject> {
  const deleted = { ...stored, revision: stored.revision + 1, deleted: true, modified: instant, tags: [] };
  const values = [...idValues(stored), deleted.revision, instant, reason];
  return { ...deleted, serial: await store(db, 'delete-object', deleting, values) };
}

/** Runs a statement of `storing`. Returns the serial. */
async function store(db: Db, name: string, text: string, values: unknown[]): Promise<bigint> {
  const { rows } = await db.query<{ serial: bigint }>({ name, text, values });
  return rows[0]!.serial;
}

/** The values of $1 to $3: source, type and key. */
function idValues(id: ObjectId): [number, number, string] {
  return [id.sourceId, typeCodes[id.type], id.key];
}

/** The values of $1 to $10; $4 is the revision. */
function stateValues(
  stored: Omit<StoredObject, 'serial'>,
  { object, signingSubkeys }: Pick<NewState, 'object' | 'signingSubkeys'>,
): unknown[] {
  const span = spanOfObject(object);
  const hashes = indexedTexts(object, signingSubkeys).map(hash64);
  return [
    ...idValues(stored),
    stored.revision,
    stored.modified,
    stored.created ?? null,
    stored.text,
    [...new Set(hashes)],
    span?.column === 'span' ? rangeLiteral(span) : null,
    span?.column === 'span6' ? rangeLiteral(span) : null,
  ];
}

/** A statement with these parts; `taken` has the serial. */
function storing(operation: number, parts: readonly string[]): string {
  return `
    with taken as (update source set serial = serial + 1 where id = $1 returning serial),
    announced as (
      insert into change (source_id, type, key, revision, serial, operation, instant)
      select $1, $2::smallint, $3::text, $4::integer, serial, ${operation}, $5::timestamptz from taken
    ),
    ${parts.join(',\n')}
    select serial, pg_notify('${changeChannel}', $1::text) from taken`;
}

const insertion = `inserted as (
  insert into object (source_id, type, key, revision, serial, announced, modified, created, text, refs, span, span6)
  select $1, $2::smallint, $3::text, $4::integer, serial, serial, $5::timestamptz, $6::timestamptz, $7::text,
    $8::bigint[], $9::int8range, $10::numrange
  from taken
)`;

/** A number that was taken in the meantime makes the stem null, which fails the statement. */
const registration = `registered as (
  insert into handle as h (source_id, kind, stem, taken)
  select $1, $11::text, $12::text, int4multirange(int4range($13::integer, $13::integer + 1))
  on conflict (source_id, kind, stem) do update set taken = h.taken + excluded.taken,
    stem = case when h.taken @> excluded.taken then null else h.stem end
)`;

const replacement = `replaced as (
  update object set revision = $4::integer, serial = taken.serial, announced = taken.serial, modified = $5::timestamptz,
    created = $6::timestamptz, text = $7::text, refs = $8::bigint[], span = $9::int8range, span6 = $10::numrange,
    deleted = false
  from taken where source_id = $1 and type = $2::smallint and key = $3::text collate "C"
)`;

/** The state before. */
const known = `known as materialized (
  select * from object where source_id = $1 and type = $2::smallint and key = $3::text collate "C"
)`;

const supersession = `superseded as (
  insert into version (source_id, type, key, revision, serial, created, operation, instant, text)
  select source_id, type, key, revision, serial, created, ${operations.update}, modified, text from known
)`;

const deletion = `deletion as (
  insert into version (source_id, type, key, revision, serial, created, operation, instant, text, reason)
  select source_id, type, key, $4::integer, taken.serial, created, ${operations.delete}, $5::timestamptz, text, $6::text
  from known, taken
),
remembered as (
  insert into former_span (source_id, type, key, span, span6)
  select source_id, type, key, span, span6 from known where span is not null or span6 is not null
  on conflict do nothing
),
untagged as (delete from tag where source_id = $1 and type = $2::smallint and key = $3::text collate "C"),
emptied as (
  update object set revision = $4::integer, serial = taken.serial, announced = taken.serial, modified = $5::timestamptz,
    deleted = true, refs = '{}', span = null, span6 = null
  from taken where source_id = $1 and type = $2::smallint and key = $3::text collate "C"
)`;

const creating = storing(operations.update, [insertion]);
const creatingNumbered = storing(operations.update, [insertion, registration]);
const restoring = storing(operations.update, [replacement]);
const updating = storing(operations.update, [known, supersession, replacement]);
const deleting = storing(operations.delete, [known, supersession, deletion]);
