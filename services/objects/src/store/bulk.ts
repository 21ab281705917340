import { sendRows } from '@cadastre/service';
import type pg from 'pg';
import { operations, typeOfCode } from './codes.js';
import { type ObjectRows, objectRowColumns } from './object-rows.js';
import { type Db, idColumns, type ObjectId } from './stored-object.js';

/**
 * The session table of a load for the rows of one batch (`object-rows.ts`); the serial is the position in the batch.
 */
const loading = 'pg_temp.loading';

/**
 * The batch, `l`, and of each row the stored object, `o`, of the source `$1`: null without one. "offset 0" makes PostgreSQL
 * look each up by its whole key: of a new table without statistics it believes that the source has few objects, and
 * compares every row of the batch with all of them.
 */
export const batchWithStored = `${loading} l left join lateral (
    select revision, deleted, text from object
    where source_id = $1 and type = l.type and key = l.key offset 0
  ) o on true`;

/**
 * Makes the table for batches in this session. The statements on it have no names: a plan for a small source must not
 * remain in use when the source has grown.
 */
export async function prepareBatches(db: Db): Promise<void> {
  await db.query(`drop table if exists ${loading}`);
  await db.query(`create temporary table loading (like object including defaults) on commit delete rows`);
}

/** Removes the rows of a batch before the next one in the same transaction. */
export async function emptyBatch(db: Db): Promise<void> {
  await db.query(`truncate ${loading}`);
}

/** A batch compared with the stored objects. */
export interface Difference {
  /** Keys that never existed, or whose objects are deleted. */
  readonly created: number;
  /** Keys whose objects have another text. */
  readonly modified: number;
  readonly unchanged: number;
}

/** Sends rows of the batch; they exist until the transaction ends. */
export async function sendToBatch(client: pg.ClientBase, rows: readonly ObjectRows[]): Promise<void> {
  const pieces = rows.flatMap((one) => one.pieces);
  if (pieces.length > 0) await sendRows(client, `${loading} ${objectRowColumns}`, pieces);
}

/** Compares the batch with the stored objects. */
export async function compareBatch(db: Db, sourceId: number): Promise<Difference> {
  const { rows: compared } = await db.query<Record<keyof Difference, bigint>>({
    text: `select count(*) filter (where o.revision is null or o.deleted) as created,
             count(*) filter (where not o.deleted and o.text <> l.text) as modified,
             count(*) filter (where not o.deleted and o.text = l.text) as unchanged
           from ${batchWithStored}`,
    values: [sourceId],
  });
  const { created, modified, unchanged } = compared[0]!;
  return { created: Number(created), modified: Number(modified), unchanged: Number(unchanged) };
}

/**
 * Stores the differences of `compareBatch`, with serials from `firstSerial` on in the order of the batch: objects,
 * their old states as versions, and changes.
 */
export async function mergeBatch(db: Db, sourceId: number, firstSerial: bigint, instant: Date): Promise<void> {
  await db.query({
    text: `with changing as materialized (
             select l.type, l.key, l.created, l.modified, l.text, l.refs, l.span, l.span6,
               $2::bigint - 1 + row_number() over (order by l.serial) as next, o.revision as known, o.deleted as gone,
               1 + coalesce(o.revision, (select forgotten_revision from source where id = $1)) as revision
             from ${batchWithStored}
             where o.revision is null or o.deleted or o.text <> l.text
           ), superseded as (
             insert into version (source_id, type, key, revision, serial, created, operation, instant, text)
             select o.source_id, o.type, o.key, o.revision, o.serial, o.created, ${operations.update}, o.modified, o.text
             from changing c join object o on o.source_id = $1 and o.type = c.type and o.key = c.key
             where not c.gone
           ), replaced as (
             update object o set revision = c.revision, serial = c.next, announced = c.next, deleted = false,
               created = c.created, modified = c.modified, text = c.text, refs = c.refs, span = c.span, span6 = c.span6
             from changing c where c.known is not null and o.source_id = $1 and o.type = c.type and o.key = c.key
           ), announced as (
             insert into change (source_id, serial, type, operation, revision, instant, key, locks)
             select $1, next, type, ${operations.update}, revision, $3, key, '{}' from changing order by next
           )
           insert into object (source_id, type, revision, serial, announced, created, modified, key, text, refs, span, span6)
           select $1, type, revision, next, next, created, modified, key, text, refs, span, span6
           from changing where known is null`,
    values: [sourceId, firstSerial, instant],
  });
}

/** Selects the objects that exist. */
export function existing(db: Db, ids: readonly ObjectId[]): Promise<ObjectId[]> {
  return unchangedSince(db, ids, newestSerial);
}

const newestSerial = 2n ** 63n - 1n;

/** Selects the objects whose states were written up to a serial. */
export async function unchangedSince(db: Db, ids: readonly ObjectId[], serial: bigint): Promise<ObjectId[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<{ source_id: number; type: number; key: string }>(
    `select o.source_id, o.type, o.key
     from unnest($1::smallint[], $2::smallint[], $3::text[]) as one (source_id, type, key)
     join object o on o.source_id = one.source_id and o.type = one.type and o.key = one.key collate "C"
     where o.serial <= $4 and not o.deleted`,
    [...idColumns(ids), serial],
  );
  return rows.map(({ source_id: sourceId, type, key }) => ({ sourceId, type: typeOfCode(type), key }));
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
           ), remembered as (
             insert into former_span (source_id, type, key, span, span6)
             select source_id, type, key, span, span6 from gone where span is not null or span6 is not null
             on conflict do nothing
           ), untagged as (
             delete from tag t using gone where t.source_id = gone.source_id and t.type = gone.type and t.key = gone.key
           ), announced as (
             insert into change (source_id, type, key, revision, serial, operation, instant, locks)
             select source_id, type, key, revision + 1, last_serial, ${operations.delete}, $5, '{}' from gone
           )
           update object o set revision = o.revision + 1, serial = gone.last_serial, announced = gone.last_serial,
             modified = $5, deleted = true, refs = '{}', span = null, span6 = null
           from gone where o.source_id = gone.source_id and o.type = gone.type and o.key = gone.key`,
    values: [...idColumns(ids), deletion.firstSerial, deletion.instant, deletion.reason],
  });
}

/** Refreshes statistics and the index of references after many changes. */
export async function refreshStatistics(db: Db): Promise<void> {
  await db.query(`select gin_clean_pending_list('object_refs')`);
  await db.query('analyze object, version, change, handle');
}
