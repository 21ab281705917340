import { inTransaction, ServiceError } from '@cadastre/service';
import type pg from 'pg';
import type { Batch, Position } from '../index-port.js';
import { write, writeStatement, writeValues } from './documents.js';
import { createGeneration, createIndexes, format, tablesOf } from './tables.js';

/** The catalogue entry of a source. */
export interface SourceEntry {
  readonly generation: number;
  readonly serial: bigint;
  readonly reached: Date;
  readonly instant: Date | null;
  readonly objects: bigint;
}

interface Row extends Omit<SourceEntry, 'generation'> {
  readonly generation: number | null;
  readonly format: number;
}

const select = `select generation, format, serial, reached, case when instant_serial = serial then instant end as instant,
    objects
  from source_index where source = $1`;

const lockText = `${select} for update`;

/** The name of the statement that `readEntry` sends. */
export const sourceEntryName = 'source-entry';

/** The index of a source that queries see; undefined when there is none that this release can read. */
export async function readEntry(client: pg.ClientBase | pg.Pool, source: string): Promise<SourceEntry | undefined> {
  const { rows } = await client.query<Row>({ name: sourceEntryName, text: select, values: [source] });
  const row = rows[0];
  if (row === undefined || row.generation === null || row.format !== format) return undefined;
  return { ...row, generation: row.generation };
}

export async function readPosition(pool: pg.Pool, source: string): Promise<Position | undefined> {
  const entry = await readEntry(pool, source);
  return entry && { serial: entry.serial, reached: entry.reached, instant: entry.instant ?? undefined };
}

/**
 * Locks the entry of a source until the transaction ends: serialises batches and switches of one source across all
 * processes.
 */
export async function lockEntry(client: pg.ClientBase, source: string): Promise<SourceEntry | undefined> {
  await client.query(
    `insert into source_index (source, generation, format, serial, reached, objects)
     values ($1, null, $2, 0, now(), 0) on conflict do nothing`,
    [source, format],
  );
  const { rows } = await client.query<Row>({ name: 'lock-entry', text: lockText, values: [source] });
  const row = rows[0]!;
  if (row.format > format) throw new ServiceError('conflict', 'The index was made by a newer release');
  return row.generation === null || row.format !== format ? undefined : { ...row, generation: row.generation };
}

export async function writeEntry(client: pg.ClientBase, source: string, entry: Omit<SourceEntry, 'reached'>) {
  await client.query(
    `update source_index set generation = $2, format = $3, serial = $4, objects = $5, reached = now(), instant = $6,
       instant_serial = $4
     where source = $1`,
    [source, entry.generation, format, entry.serial, entry.objects, entry.instant],
  );
}

/**
 * Applies a batch (`SearchIndex.apply`). Given the generation in use, one statement is enough: it does nothing when the
 * index has another generation or does not continue there. Returns the generation in use.
 */
export async function applyBatch(
  pool: pg.Pool,
  source: string,
  batch: Batch,
  known: number | undefined,
): Promise<number> {
  const applied = known !== undefined && (await applyTo(pool, source, batch, known));
  return applied ? known : inTransaction(pool, (client) => applyToCurrent(client, source, batch));
}

/** Whether the batch was applied. A rebuild may have dropped the tables of the generation. */
async function applyTo(pool: pg.Pool, source: string, batch: Batch, generation: number): Promise<boolean> {
  const state = [source, generation, format, batch.after, batch.serial, batch.instant];
  const text = writeStatement(tablesOf(generation), continuing, state.length, advance);
  try {
    const values = [...state, ...writeValues(batch)];
    const { rowCount } = await pool.query({ name: `apply-to-${generation}`, text, values });
    return rowCount === 1;
  } catch (error) {
    if ((error as { code?: string }).code === undefinedTable) return false;
    throw error;
  }
}

const undefinedTable = '42P01';

// Takes the lock of `lockEntry`. After waiting for it PostgreSQL checks the newest state of the row again, but the
// subquery and the write still see the state before: if the serial has moved in between, the statement does nothing.
const continuing = `select from source_index
  where source = $1 and generation = $2 and format = $3 and serial >= $4::bigint and serial < $5::bigint
    and serial = (select serial from source_index where source = $1)
  for update`;

const advance = `update source_index set serial = $5::bigint, objects = objects + gained, reached = now(),
    instant = $6::timestamptz, instant_serial = $5::bigint
  from gained, allowed where source = $1`;

/** Applies a batch whatever state the index is in. Returns the generation in use. */
async function applyToCurrent(client: pg.ClientBase, source: string, batch: Batch): Promise<number> {
  const entry = await lockEntry(client, source);
  if ((entry?.serial ?? 0n) < batch.after) {
    throw new ServiceError('conflict', 'The batch starts after the position of the index');
  }
  if (entry !== undefined && batch.serial <= entry.serial) {
    await writeEntry(client, source, entry);
    return entry.generation;
  }
  const generation = entry?.generation ?? (await firstGeneration(client, source));
  const gained = await write(client, tablesOf(generation), batch);
  const objects = (entry?.objects ?? 0n) + BigInt(gained);
  await writeEntry(client, source, { generation, serial: batch.serial, instant: batch.instant ?? null, objects });
  return generation;
}

async function firstGeneration(client: pg.ClientBase, source: string): Promise<number> {
  const generation = await createGeneration(client, source);
  await createIndexes(client, generation);
  return generation;
}
