import { ServiceError } from '@cadastre/service';
import type pg from 'pg';
import type { IndexDocument, ObjectId, Rebuild } from '../index-port.js';
import { lockEntry, type SourceEntry, writeEntry } from './catalogue.js';
import { write } from './documents.js';
import { fillTables } from './fill-tables.js';
import { createGeneration, createIndexes, dropGeneration, tablesOf } from './tables.js';

/** First half of a rebuild's advisory lock; the second half is the source's name. */
const lockClass = 7_203_115;

/**
 * Starts a rebuild on its own connection. The connection holds an advisory lock, so all processes together run at most
 * one rebuild of a source, and none is left when its process ends.
 */
export async function beginRebuild(pool: pg.Pool, source: string): Promise<Rebuild> {
  const client = await pool.connect();
  // A connection that breaks between two statements fails the next one; without a listener it would end the process.
  client.on('error', ignore);
  const end = releaseOnce(client, source);
  try {
    await lock(client, source);
    await dropLeftovers(client, source);
    // One transaction creates, fills and indexes the tables: nothing is left of an interrupted one.
    await client.query('begin');
    const generation = await createGeneration(client, source);
    return rebuildOf(client, source, generation, end);
  } catch (error) {
    await client.query('rollback').catch(ignore);
    await end();
    throw error;
  }
}

function rebuildOf(client: pg.PoolClient, source: string, generation: number, end: () => Promise<void>): Rebuild {
  const tables = tablesOf(generation);
  const filling = fillTables(client, tables);
  let objects = 0n;
  let indexed = false;
  let open = true;
  // Only once: while the copy catches up with the index in use, every attempt must be quick.
  const ensureIndexes = async () => {
    if (indexed) return;
    await filling.end();
    await createIndexes(client, generation);
    await client.query('commit');
    indexed = true;
  };
  return {
    async fill(documents: readonly IndexDocument[]) {
      await filling.add(documents);
      objects += BigInt(documents.length);
    },
    async add(documents: readonly IndexDocument[]) {
      await ensureIndexes();
      objects += BigInt(await write(client, tables, { documents, deletions: [] }));
    },
    async remove(ids: readonly ObjectId[]) {
      await ensureIndexes();
      objects += BigInt(await write(client, tables, { documents: [], deletions: ids }));
    },
    async finish(serial, { back = false, instant } = {}) {
      await ensureIndexes();
      const copy = { generation, serial, instant: instant ?? null, objects };
      const switched = await inOneTransaction(client, () => switchTo(client, source, copy, back));
      if (switched) {
        open = false;
        await end();
      }
      return switched;
    },
    async abandon() {
      if (!open) return;
      open = false;
      await filling.abandon();
      if (!indexed) await client.query('rollback').catch(ignore);
      // The next rebuild drops what cannot be dropped now.
      else await inOneTransaction(client, () => dropGeneration(client, generation)).catch(ignore);
      await end();
    },
  };
}

async function switchTo(
  client: pg.PoolClient,
  source: string,
  copy: Omit<SourceEntry, 'reached'>,
  back: boolean,
): Promise<boolean> {
  const entry = await lockEntry(client, source);
  if (entry !== undefined && entry.serial > copy.serial && !back) return false;
  await writeEntry(client, source, copy);
  await dropOthers(client, source, copy.generation);
  return true;
}

/** Drops the rest of interrupted rebuilds; the caller holds the lock. */
async function dropLeftovers(client: pg.PoolClient, source: string): Promise<void> {
  await inOneTransaction(client, async () => {
    await lockEntry(client, source);
    const { rows } = await client.query<{ generation: number | null }>(
      'select generation from source_index where source = $1',
      [source],
    );
    await dropOthers(client, source, rows[0]?.generation ?? 0);
  });
}

async function dropOthers(client: pg.PoolClient, source: string, kept: number): Promise<void> {
  const { rows } = await client.query<{ number: number }>(
    'select number from generation where source = $1 and number <> $2',
    [source, kept],
  );
  for (const { number } of rows) await dropGeneration(client, number);
}

async function lock(client: pg.PoolClient, source: string): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1, hashtext($2)) as locked', [
    lockClass,
    source,
  ]);
  if (!rows[0]!.locked) throw new ServiceError('conflict', `A rebuild of ${source} is already running`);
}

/** Releases the lock and the connection; closes the connection if that fails. */
function releaseOnce(client: pg.PoolClient, source: string): () => Promise<void> {
  let released = false;
  return async () => {
    if (released) return;
    released = true;
    const unlocked = await client.query('select pg_advisory_unlock($1, hashtext($2))', [lockClass, source]).then(
      () => true,
      () => false,
    );
    client.off('error', ignore);
    client.release(!unlocked);
  };
}

function ignore(): void {}

async function inOneTransaction<T>(client: pg.PoolClient, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  }
}
