import { inTransactionOn, ServiceError } from '@cadastre/service';
import type pg from 'pg';
import { type BeginOptions, type FeedPosition, mayHave, type Rebuild } from '../index-port.js';
import { lockEntry, writeEntry } from './catalogue.js';
import { writeStatement, writeValues } from './documents.js';
import { fillTables } from './fill-tables.js';
import {
  advanceRebuild,
  readRebuild,
  type StoredRebuild,
  storeBeginning,
  storeEnd,
  storeExported,
  storeFailure,
  storePhase,
} from './stored-rebuild.js';
import {
  createGeneration,
  createIndexes,
  dropGeneration,
  dropOtherFormats,
  format,
  ofFormat,
  tablesOf,
} from './tables.js';

/** First half of a rebuild's advisory lock. */
const lockClass = 7_203_115;
/** The second half is the hash of this. */
const lockName = (source: string) => `${source} ${format}`;

/**
 * Starts or continues a rebuild on its own connection. The connection holds an advisory lock, so all processes together
 * run at most one rebuild of a source, and the lock goes with its process.
 */
export async function beginRebuild(
  pool: pg.Pool,
  source: string,
  newest: FeedPosition,
  options: BeginOptions = {},
): Promise<Rebuild> {
  const client = await pool.connect();
  // A connection that breaks between two statements fails the next one; without a listener it would end the process.
  client.on('error', ignore);
  const end = releaseOnce(client, source);
  try {
    await lock(client, source);
    const copy = await inTransactionOn(client, () => openCopy(client, source, newest, options));
    return rebuildOf({ pool, client, source, end }, copy);
  } catch (error) {
    await end();
    throw error;
  }
}

/**
 * The copy to fill, the interrupted one if it can be continued; drops all others that are not in use, and the indexes of
 * other formats if this one has an index: until then another release may serve with them.
 */
async function openCopy(
  client: pg.ClientBase,
  source: string,
  newest: FeedPosition,
  { fresh = false, unfinished = false, back }: BeginOptions,
): Promise<StoredRebuild> {
  const entry = await lockEntry(client, source);
  if (entry !== undefined) await dropOtherFormats(client, source);
  const phase = unfinished ? (await readRebuild(client, source))?.phase : undefined;
  if (phase === 'finished' || phase === 'failed')
    throw new ServiceError('conflict', `The rebuild of ${source} has ended`);
  const interrupted = fresh ? undefined : await interruptedCopy(client, source, newest, back);
  if (interrupted !== undefined) {
    await dropOthers(client, source, interrupted.generation);
    return interrupted;
  }
  const generation = await createGeneration(client, source);
  await storeBeginning(client, source, { generation, ...newest, back: back ?? false });
  await dropOthers(client, source, generation);
  return (await readRebuild(client, source))!;
}

async function interruptedCopy(
  client: pg.ClientBase,
  source: string,
  newest: FeedPosition,
  back: boolean | undefined,
): Promise<StoredRebuild | undefined> {
  const stored = await readRebuild(client, source);
  if (stored === undefined || stored.phase === 'finished' || stored.phase === 'failed') return undefined;
  const isOfRegistry = mayHave(newest, stored) && (back === undefined || back === stored.back);
  const hasPosition = stored.phase !== 'export' || stored.exported !== null || stored.objects === 0n;
  return isOfRegistry && hasPosition ? stored : undefined;
}

interface Workplace {
  readonly pool: pg.Pool;
  readonly client: pg.PoolClient;
  readonly source: string;
  /** Releases the lock and the connection. */
  readonly end: () => Promise<void>;
}

function rebuildOf({ pool, client, source, end }: Workplace, copy: StoredRebuild): Rebuild {
  const { generation, back, serial, instant } = copy;
  const tables = tablesOf(generation);
  let { objects } = copy;
  let exported = copy.exported ?? undefined;
  let isIndexed = copy.phase === 'changes';
  let isOpen = true;
  const filling = fillTables(client, tables, () => storeExported(client, source, exported, objects));
  // Only once: while the copy catches up with the index in use, every attempt must be quick.
  const ensureIndexes = async () => {
    if (isIndexed) return;
    await filling.end();
    await storePhase(client, source, 'indexes');
    await createIndexes(client, generation);
    await storePhase(client, source, 'changes');
    isIndexed = true;
  };
  return {
    id: String(generation),
    start: { serial, instant },
    exported,
    objects,
    isFilled: copy.phase !== 'export',
    async fill(documents, position) {
      await filling.add(documents);
      objects += BigInt(documents.length);
      exported = position;
      await filling.endLargePart();
    },
    async apply(changes) {
      await ensureIndexes();
      if (changes.documents.length + changes.deletions.length === 0) return;
      const state = [source, changes.serial, changes.instant];
      const text = writeStatement(tables, 'select', state.length, advanceRebuild);
      await client.query(text, [...state, ...writeValues(changes)]);
    },
    async finish(reached) {
      await ensureIndexes();
      const isSwitched = await inTransactionOn(client, () => switchTo(client, source, { generation, reached, back }));
      if (isSwitched) {
        isOpen = false;
        await end();
      }
      return isSwitched;
    },
    async suspend(failure) {
      if (!isOpen) return;
      isOpen = false;
      await filling.end().catch(() => filling.abandon());
      await end();
      if (failure !== undefined) await storeFailure(pool, source, generation, failure).catch(ignore);
    },
    async abandon(failure) {
      if (!isOpen) return;
      isOpen = false;
      await filling.abandon();
      // The next rebuild continues or drops what cannot be dropped now.
      await inTransactionOn(client, async () => {
        await dropGeneration(client, generation);
        await storeEnd(client, source, failure);
      }).catch(ignore);
      await end();
    },
  };
}

async function switchTo(
  client: pg.PoolClient,
  source: string,
  { generation, reached, back }: { generation: number; reached: FeedPosition; back: boolean },
): Promise<boolean> {
  const entry = await lockEntry(client, source);
  if (entry !== undefined && entry.serial > reached.serial && !back) return false;
  const { objects } = (await readRebuild(client, source))!;
  const { serial, instant = null } = reached;
  await writeEntry(client, source, { generation, serial, instant, objects });
  await storePhase(client, source, 'finished');
  await dropOthers(client, source, generation);
  return true;
}

/** Drops the tables of an index that are neither in use nor `kept`; the caller holds the lock. */
async function dropOthers(client: pg.ClientBase, source: string, kept: number): Promise<void> {
  const { rows } = await client.query<{ number: number }>(
    `select number from format_generation where ${ofFormat} and number <> $2
       and number is distinct from (select generation from format_index where ${ofFormat})`,
    [source, kept],
  );
  for (const { number } of rows) await dropGeneration(client, number);
}

async function lock(client: pg.PoolClient, source: string): Promise<void> {
  const { rows } = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1, hashtext($2)) as locked', [
    lockClass,
    lockName(source),
  ]);
  if (!rows[0]!.locked) throw new ServiceError('conflict', `A rebuild of ${source} is already running`);
}

/** Releases the lock and the connection; closes the connection if that fails. */
function releaseOnce(client: pg.PoolClient, source: string): () => Promise<void> {
  let released = false;
  return async () => {
    if (released) return;
    released = true;
    const unlocked = await client
      .query('select pg_advisory_unlock($1, hashtext($2))', [lockClass, lockName(source)])
      .then(
        () => true,
        () => false,
      );
    client.off('error', ignore);
    client.release(!unlocked);
  };
}

function ignore(): void {}
