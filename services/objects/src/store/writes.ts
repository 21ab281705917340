import type { RpslObject } from '@cadastre/rpsl';
import { registerHandles } from './handles.js';
import { hash64 } from './hash64.js';
import { type OperationCode, operations } from './operations.js';
import { indexedTexts } from './references.js';
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
  /** From `takeSerials`. */
  readonly serial: bigint;
}

/**
 * Inserts an object with its change, and takes its handle for ever. `stored` is the deleted object of the same key, if
 * there was one: the revision continues from it. Fails with a unique violation (23505) when the key was taken in the
 * meantime, which the lock of the key prevents.
 */
export async function createObject(
  db: Db,
  id: ObjectId,
  stored: StoredObject | undefined,
  state: NewState & { readonly created: Date | undefined },
): Promise<StoredObject> {
  const created: StoredObject = {
    ...id,
    revision: (stored?.revision ?? 0) + 1,
    serial: state.serial,
    deleted: false,
    created: state.created,
    modified: state.instant,
    text: state.text,
    tags: [],
  };
  await (stored === undefined ? insertObject(db, created, state) : replaceObject(db, created, state));
  await insertChange(db, created, operations.update, state.instant);
  await registerHandles(db, id.sourceId, [id]);
  return created;
}

/** Updates an existing object and inserts its old state as a version, and a change. */
export async function updateObject(db: Db, stored: StoredObject, state: NewState): Promise<StoredObject> {
  const updated: StoredObject = {
    ...stored,
    revision: stored.revision + 1,
    serial: state.serial,
    modified: state.instant,
    text: state.text,
  };
  await insertVersion(db, stored, operations.update, stored.modified);
  await replaceObject(db, updated, state);
  await insertChange(db, updated, operations.update, state.instant);
  return updated;
}

/** Deletes an existing object and its tags; keeps its history and its handle. */
export async function deleteObject(
  db: Db,
  stored: StoredObject,
  deletion: { readonly instant: Date; readonly reason: string; readonly serial: bigint },
): Promise<StoredObject> {
  const { instant, reason, serial } = deletion;
  const deleted = { ...stored, revision: stored.revision + 1, serial, deleted: true, tags: [] };
  await insertVersion(db, stored, operations.update, stored.modified);
  await insertVersion(db, deleted, operations.delete, instant, reason);
  await db.query({
    name: 'delete-object',
    text: `with untagged as (delete from tag where source_id = $1 and type = $2 and key = $3)
           update object set revision = $4, serial = $5, announced = $5, modified = $6, deleted = true,
             refs = '{}', span = null, span6 = null
           where source_id = $1 and type = $2 and key = $3`,
    values: [...idValues(deleted), deleted.revision, serial, instant],
  });
  await insertChange(db, deleted, operations.delete, instant);
  return { ...deleted, modified: instant };
}

function idValues(id: ObjectId): [number, number, string] {
  return [id.sourceId, typeCodes[id.type], id.key];
}

type IndexedState = Pick<NewState, 'object' | 'signingSubkeys'>;

function stateValues(stored: StoredObject, { object, signingSubkeys }: IndexedState): unknown[] {
  const span = spanOfObject(object);
  const hashes = indexedTexts(object, signingSubkeys).map(hash64);
  return [
    ...idValues(stored),
    stored.revision,
    stored.serial,
    stored.created ?? null,
    stored.modified,
    stored.text,
    [...new Set(hashes)],
    span?.column === 'span' ? rangeLiteral(span) : null,
    span?.column === 'span6' ? rangeLiteral(span) : null,
  ];
}

async function insertObject(db: Db, stored: StoredObject, state: IndexedState): Promise<void> {
  await db.query({
    name: 'insert-object',
    text: `insert into object
             (source_id, type, key, revision, serial, announced, created, modified, text, refs, span, span6)
           values ($1, $2, $3, $4, $5, $5, $6, $7, $8, $9, $10, $11)`,
    values: stateValues(stored, state),
  });
}

async function replaceObject(db: Db, stored: StoredObject, state: IndexedState): Promise<void> {
  await db.query({
    name: 'replace-object',
    text: `update object set revision = $4, serial = $5, announced = $5, created = $6, modified = $7, text = $8,
             refs = $9, span = $10, span6 = $11, deleted = false
           where source_id = $1 and type = $2 and key = $3`,
    values: stateValues(stored, state),
  });
}

async function insertVersion(
  db: Db,
  stored: StoredObject,
  operation: OperationCode,
  instant: Date,
  reason?: string,
): Promise<void> {
  await db.query({
    name: 'insert-version',
    text: `insert into version (source_id, type, key, revision, serial, created, operation, instant, text, reason)
           values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: [
      ...idValues(stored),
      stored.revision,
      stored.serial,
      stored.created ?? null,
      operation,
      instant,
      stored.text,
      reason ?? null,
    ],
  });
}

async function insertChange(db: Db, stored: StoredObject, operation: OperationCode, instant: Date): Promise<void> {
  await db.query({
    name: 'insert-change',
    text: `insert into change (source_id, type, key, revision, serial, operation, instant)
           values ($1, $2, $3, $4, $5, $6, $7)`,
    values: [...idValues(stored), stored.revision, stored.serial, operation, instant],
  });
}
