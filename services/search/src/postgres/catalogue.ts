import { inTransaction, ServiceError } from '@cadastre/service';
import type pg from 'pg';
import type { Batch, Position } from '../index-port.js';
import { deleteDocuments, writeDocuments } from './documents.js';
import { createGeneration, createIndexes, format, tablesOf } from './tables.js';

/** The catalogue entry of a source. */
export interface SourceEntry {
  readonly generation: number;
  readonly serial: bigint;
  readonly reached: Date;
  readonly objects: bigint;
}

interface Row extends Omit<SourceEntry, 'generation'> {
  readonly generation: number | null;
  readonly format: number;
}

const select = 'select generation, format, serial, reached, objects from source_index where source = $1';

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
  return entry && { serial: entry.serial, reached: entry.reached };
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
  const { rows } = await client.query<Row>(`${select} for update`, [source]);
  const row = rows[0]!;
  if (row.format > format) throw new ServiceError('conflict', 'The index was made by a newer release');
  return row.generation === null || row.format !== format ? undefined : { ...row, generation: row.generation };
}

export async function writeEntry(client: pg.ClientBase, source: string, entry: Omit<SourceEntry, 'reached'>) {
  await client.query(
    `update source_index set generation = $2, format = $3, serial = $4, objects = $5, reached = now()
     where source = $1`,
    [source, entry.generation, format, entry.serial, entry.objects],
  );
}

/** Applies a batch (`SearchIndex.apply`). */
export async function applyBatch(pool: pg.Pool, source: string, batch: Batch): Promise<void> {
  await inTransaction(pool, async (client) => {
    const entry = await lockEntry(client, source);
    if ((entry?.serial ?? 0n) < batch.after) {
      throw new ServiceError('conflict', 'The batch starts after the position of the index');
    }
    if (entry !== undefined && batch.serial <= entry.serial) return writeEntry(client, source, entry);
    const generation = entry?.generation ?? (await firstGeneration(client, source));
    const tables = tablesOf(generation);
    const inserted = await writeDocuments(client, tables, batch.documents);
    const deleted = await deleteDocuments(client, tables, batch.deletions);
    const objects = (entry?.objects ?? 0n) + BigInt(inserted - deleted);
    await writeEntry(client, source, { generation, serial: batch.serial, objects });
  });
}

async function firstGeneration(client: pg.ClientBase, source: string): Promise<number> {
  const generation = await createGeneration(client, source);
  await createIndexes(client, generation);
  return generation;
}
