import { openRowStream, type RowStream, sendRows } from '@cadastre/service';
import { createCopyRows } from '@cadastre/service/copy-rows';
import type pg from 'pg';
import { operations, typeOfCode } from './codes.js';
import type { HandleParts } from './handles.js';
import { type ObjectRows, objectRowColumns } from './object-rows.js';
import type { Db, ObjectId } from './stored-object.js';

// A load into a small registry fills the table `object_next`, which has no indexes, builds the indexes, and replaces
// `object` with it, all in one transaction (ADR 0031).

/** Up to this many rows of `object` move into the next table. */
const fewRows = 20_000;

/** First number of the two-number advisory lock of a next table; see `locks.ts` for the others. */
const nextTableLockClass = 3;

/** Whether `object` has few enough rows, of all sources together, for a load that replaces the table. */
export async function isSmall(db: Db): Promise<boolean> {
  const { rows } = await db.query(`select from object offset ${fewRows} limit 1`);
  return rows.length === 0;
}

/** All keys of a source that exist or existed. */
export async function storedKeys(db: Db, sourceId: number): Promise<Omit<ObjectId, 'sourceId'>[]> {
  const text = 'select type, key from object where source_id = $1';
  const { rows } = await db.query<{ type: number; key: string }>(text, [sourceId]);
  return rows.map(({ type, key }) => ({ type: typeOfCode(type), key }));
}

/** Creates the next table in the current transaction; false, without a table, while another load fills one. */
export async function createNextTable(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ taken: boolean }>('select pg_try_advisory_xact_lock($1, 0) as taken', [
    nextTableLockClass,
  ]);
  if (!rows[0]!.taken) return false;
  await db.query('create table object_next (like object including all excluding indexes)');
  await db.query(`create temporary table next_handle (kind text, stem text, number integer) on commit drop`);
  return true;
}

/** Fills the next table; between calls its connection is busy. */
interface Filling {
  /** Adds rows (`object-rows.ts`) with their serials, and the handles that they use. */
  add(rows: readonly ObjectRows[], handles: readonly HandleParts[]): Promise<void>;
  /** Resolves when the table has all rows so far. */
  flush(): Promise<void>;
  /** Discards rows in flight; the transaction can only be rolled back. */
  abandon(): Promise<void>;
}

/** One COPY sends this many bytes of rows; their handles wait that long in memory. */
const copyBytes = 64 * 1024 * 1024;

export function fillNextTable(client: pg.ClientBase): Filling {
  let stream: RowStream | undefined;
  let bytes = 0;
  let handles = createCopyRows();
  const flush = async () => {
    const full = stream;
    stream = undefined;
    bytes = 0;
    await full?.end();
    if (handles.size() === 0) return;
    await sendRows(client, 'next_handle (kind, stem, number)', [handles.bytes()]);
    handles = createCopyRows();
  };
  return {
    async add(rows, used) {
      for (const { kind, stem, number } of used) {
        handles.row(3);
        handles.text(kind);
        handles.text(stem);
        handles.int32(number);
      }
      const pieces = rows.flatMap((one) => one.pieces);
      stream ??= openRowStream(client, `object_next ${objectRowColumns}`);
      await stream.write(pieces);
      for (const { length } of pieces) bytes += length;
      if (bytes >= copyBytes) await flush();
    },
    flush,
    async abandon() {
      await stream?.abandon();
      stream = undefined;
    },
  };
}

/** An index of `object`. */
interface TableIndex {
  readonly name: string;
  /** Of the primary key: its columns, as in "PRIMARY KEY (a, b)". */
  readonly constraint: string | null;
  readonly unique: boolean;
  /** From "USING" on. */
  readonly definition: string;
}

/** Builds all indexes that `object` has, and its statistics; returns the indexes. */
export async function indexNextTable(db: Db): Promise<TableIndex[]> {
  const { rows } = await db.query<TableIndex>(
    `select c.relname as name, pg_get_constraintdef(p.oid) as constraint, i.indisunique as unique,
       substring(pg_get_indexdef(i.indexrelid) from ' (USING .*)$') as definition
     from pg_index i join pg_class c on c.oid = i.indexrelid
     left join pg_constraint p on p.conindid = i.indexrelid and p.conrelid = i.indrelid
     where i.indrelid = 'object'::regclass order by c.relname`,
  );
  for (const { name, constraint, unique, definition } of rows) {
    await db.query(
      constraint === null
        ? `create ${unique ? 'unique ' : ''}index ${name}_next on object_next ${definition}`
        : `alter table object_next add constraint ${name}_next ${constraint}`,
    );
  }
  await db.query('analyze object_next');
  return rows;
}

/** Adds `shift` to all serials of the next table. */
export async function shiftSerials(db: Db, shift: bigint): Promise<void> {
  await db.query('update object_next set serial = serial + $1, announced = announced + $1', [shift]);
}

/**
 * Inserts a change for each row of the next table, and reserves the handles; call it before rows of other sources move
 * there.
 */
export async function announceNextTable(db: Db, sourceId: number, instant: Date): Promise<void> {
  await db.query(
    `insert into change (source_id, serial, type, operation, revision, instant, key, locks)
     select source_id, serial, type, ${operations.update}, revision, $1, key, '{}' from object_next`,
    [instant],
  );
  await db.query(
    `insert into handle as h (source_id, kind, stem, taken)
     select $1, kind, stem, range_agg(int4range(number, number + 1)) from next_handle
     group by kind, stem order by kind, stem
     on conflict (source_id, kind, stem) do update set taken = h.taken + excluded.taken`,
    [sourceId],
  );
}

/** While it waits for the lock, readers wait behind it; then it lets them pass and retries. */
const lockTimeoutMs = 200;
const lockTries = 300;
const lockNotAvailable = '55P03';

/**
 * Locks `object` for others until the transaction ends. Waits only briefly at a time: a long statement of others, such
 * as a dump of the database, must not block lookups.
 */
export async function lockTable(db: Db, pause: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    await db.query(`savepoint lock_table; set local lock_timeout = ${lockTimeoutMs}`);
    try {
      await db.query('lock table object in access exclusive mode');
      await db.query('set local lock_timeout = 0; release savepoint lock_table');
      return;
    } catch (error) {
      if ((error as { code?: string }).code !== lockNotAvailable || tries === lockTries) throw error;
      await db.query('rollback to savepoint lock_table');
      await pause();
    }
  }
}

/**
 * Moves all rows of `object` into the next table and replaces `object` with it; `lockTable` first. Fails with a unique
 * violation (23505) when both have a key.
 */
export async function switchTables(db: Db, indexes: readonly TableIndex[]): Promise<void> {
  await db.query('insert into object_next select * from object');
  await db.query('drop table object');
  await db.query('alter table object_next rename to object');
  for (const { name } of indexes) await db.query(`alter index ${name}_next rename to ${name}`);
}
