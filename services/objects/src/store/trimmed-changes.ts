import { operations } from './codes.js';
import { lockSourceAlone } from './locks.js';
import type { Db } from './stored-object.js';

/** First number of the advisory lock with which one process at a time removes changes of a source. */
const trimLockClass = 3;

/** Maximum number of changes that one transaction removes. */
export const trimBatchSize = 5_000;

/**
 * The newest serial of a source whose change was removed because of its age; 0 when all changes are stored. A follower
 * needs every change after its serial, so its serial must not be lower.
 */
export async function trimmedSerial(db: Db, sourceId: number): Promise<bigint> {
  const { rows } = await db.query<{ serial: bigint }>({
    name: 'trimmed-serial',
    // Serials have no gaps, so the oldest change shows which ones were removed.
    text: `select coalesce(
             (select serial - 1 from change where source_id = $1 order by serial limit 1),
             (select serial from source where id = $1)
           ) as serial`,
    values: [sourceId],
  });
  return rows[0]!.serial;
}

/**
 * Removes the oldest changes of a source: those before the first one that is not older than an instant, at most
 * `trimBatchSize`. Returns their number; 0 when another process is removing changes. Does not remove objects, versions
 * and serials. Needs a transaction.
 */
export async function trimChanges(db: Db, sourceId: number, olderThan: Date): Promise<number> {
  if (!(await lockTrimming(db, sourceId))) return 0;
  const { rows } = await db.query<{ removed: bigint }>({
    name: 'trim-changes',
    // Stores when these changes happened, for `serial_at`.
    text: `with ${oldChanges}, removed as (
             ${deleteOldChanges} returning serial, instant
           ), dated as (
             insert into forgotten_second as known (source_id, instant, first_serial, last_serial)
             select $1, instant, min(serial), max(max(serial)) over (order by instant) from removed group by instant
             on conflict (source_id, instant) do update
               set last_serial = greatest(known.last_serial, excluded.last_serial)
           )
           select count(*) as removed from removed`,
    values: [sourceId, olderThan],
  });
  return Number(rows[0]!.removed);
}

/**
 * The same, and removes with each change everything that requests for later changes or later moments do not need:
 * states before the one that it announced, and the deleted object. The source stores the highest revisions of deleted
 * objects, and the serial from which its past is complete.
 */
export async function trimChangesAndVersions(db: Db, sourceId: number, olderThan: Date): Promise<number> {
  if (!(await lockTrimming(db, sourceId))) return 0;
  // A load that stores a new object must not find a deleted one that this removes.
  await lockSourceAlone(db, sourceId);
  const { rows } = await db.query<{ removed: bigint }>({
    name: 'trim-changes-and-versions',
    text: `with ${oldChanges}, removed as (
             ${deleteOldChanges} returning type, key, revision, serial
           ), passed as (
             select type, key, max(revision) as revision, max(serial) as serial from removed group by type, key
           ), superseded as (
             delete from version v using passed p
             where v.source_id = $1 and v.type = p.type and v.key = p.key
               and (v.revision < p.revision or v.revision = p.revision and v.operation = ${operations.delete})
           ), gone as (
             delete from object o using passed p
             where o.source_id = $1 and o.type = p.type and o.key = p.key and o.deleted and o.announced <= p.serial
             returning o.type, o.key, o.revision
           ), unspanned as (
             delete from former_span f using gone g where f.source_id = $1 and f.type = g.type and f.key = g.key
           ), remembered as (
             update source set forgotten_revision = greatest(forgotten_revision, highest), remembered_from = newest
             from (select max(revision) as highest from gone) forgotten, (select max(serial) as newest from passed) p
             where id = $1 and newest is not null
           )
           select count(*) as removed from removed`,
    values: [sourceId, olderThan],
  });
  return Number(rows[0]!.removed);
}

/** Whether deleted objects of a source were removed, so that new objects must not begin with revision 1. */
export async function hasForgotten(db: Db, sourceId: number): Promise<boolean> {
  const { rows } = await db.query('select from source where id = $1 and forgotten_revision > 0', [sourceId]);
  return rows.length > 0;
}

const oldChanges = `oldest as materialized (
             select serial, instant from change where source_id = $1 order by serial limit ${trimBatchSize}
           ), kept as (
             select min(serial) as serial from oldest where instant >= $2
           )`;

const deleteOldChanges = `delete from change
           where source_id = $1 and serial <= coalesce((select serial - 1 from kept), (select max(serial) from oldest))`;

/** Acquires the lock until the transaction ends; false when another process has it. */
async function lockTrimming(db: Db, sourceId: number): Promise<boolean> {
  const { rows } = await db.query<{ locked: boolean }>({
    name: 'lock-trimming',
    text: 'select pg_try_advisory_xact_lock($1, $2) as locked',
    values: [trimLockClass, sourceId],
  });
  return rows[0]!.locked;
}
