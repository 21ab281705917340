import { inTransaction, ServiceError } from '@cadastre/service';
import type pg from 'pg';
import type { Batch, Position } from '../index-port.js';
import { write, writeStatement, writeValues } from './documents.js';
import { createGeneration, createIndexes, format, ofFormat, tablesOf } from './tables.js';

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
}

const select = `select generation, serial, reached, instant, objects from format_index where ${ofFormat}`;

const lockText = `${select} for update`;

/** The name of the statement that `readEntry` sends. */
export const sourceEntryName = 'source-entry';

/** The index of a source that queries see; undefined when there is none of this release's format. */
export async function readEntry(client: pg.ClientBase | pg.Pool, source: string): Promise<SourceEntry | undefined> {
  const { rows } = await client.query<Row>({ name: sourceEntryName, text: select, values: [source] });
  const row = rows[0];
  if (row === undefined || row.generation === null) return undefined;
  return { ...row, generation: row.generation };
}

/**
 * The state of the index of each source, for `readReplica`. Serials grow within a generation, so both together tell what
 * the index has.
 */
export const indexStates = `
  select source, generation || ' ' || serial as state from format_index where format = ${format}`;

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
    `insert into format_index (source, format, generation, serial, reached, objects)
     values ($1, $2, null, 0, now(), 0) on conflict do nothing`,
    [source, format],
  );
  const { rows } = await client.query<Row>({ name: 'lock-entry', text: lockText, values: [source] });
  const row = rows[0]!;
  return row.generation === null ? undefined : { ...row, generation: row.generation };
}

export async function writeEntry(client: pg.ClientBase, source: string, entry: Omit<SourceEntry, 'reached'>) {
  await client.query(
    `update format_index set generation = $2, serial = $3, objects = $4, reached = now(), instant = $5
     where ${ofFormat}`,
    [source, entry.generation, entry.serial, entry.objects, entry.instant],
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
  const state = [source, generation, batch.after, batch.serial, batch.instant];
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
const continuing = `select from format_index
  where ${ofFormat} and generation = $2 and serial >= $3::bigint and serial < $4::bigint
    and serial = (select serial from format_index where ${ofFormat})
  for update`;

const advance = `update format_index set serial = $4::bigint, objects = objects + gained, reached = now(),
    instant = $5::timestamptz
  from gained, allowed where ${ofFormat}`;

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
