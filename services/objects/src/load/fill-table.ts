import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '@cadastre/service';
import { compareBatch, type Difference, mergeBatch, sendToBatch } from '../store/bulk.js';
import { lockSourceAlone } from '../store/locks.js';
import {
  announceNextTable,
  createNextTable,
  fillNextTable,
  indexNextTable,
  isSmall,
  lockTable,
  shiftSerials,
  switchTables,
} from '../store/next-table.js';
import { numberRows } from '../store/object-rows.js';
import { currentSerial, takeSerials } from '../store/serials.js';
import { setReplacingVisible } from '../store/staged.js';
import type { Batch } from './accept-part.js';
import { type BatchTarget, type Stored, sum } from './store-batch.js';

/** Pause of a load that waits for the table, so that others can use it. */
const pauseMs = 1000;

/** The source and table that a load fills. */
export interface FillTarget extends BatchTarget {
  /** Whether it replaces the objects of the source, so that it is not finished when these are stored. */
  readonly replacing: boolean;
}

/** Begins to fill a table that will replace `object`; false when another load does so. */
export async function beginFilling({ client }: BatchTarget): Promise<boolean> {
  await client.query('begin');
  const begun = await createNextTable(client).catch(async (error: unknown) => {
    await client.query('rollback');
    throw error;
  });
  if (!begun) await client.query('rollback');
  return begun;
}

/**
 * After `beginFilling`: stores all batches in one transaction, by a new table that replaces `object` (ADR 0031).
 * `start` is the source's serial from before its known keys were read. A failure leaves nothing. Errors: ServiceError
 * 'conflict' when others meanwhile created objects of the dump, or many of other sources.
 */
export async function* fillTable(
  target: FillTarget,
  batches: AsyncIterable<Batch>,
  start: bigint,
): AsyncGenerator<Stored> {
  const { client } = target;
  const filling = fillNextTable(client);
  let created = 0;
  let last = 0;
  let committed = false;
  try {
    for await (const { rows, knownRows, handles, rejections, line } of batches) {
      for (const one of rows) {
        numberRows(one, start + 1n + BigInt(created));
        created += one.starts.length;
      }
      await filling.add(rows, handles);
      if (knownRows.some(({ starts }) => starts.length > 0)) {
        await filling.flush();
        await sendToBatch(client, knownRows);
      }
      last = line;
      yield { total: { created, modified: 0, unchanged: 0 }, rejections, line, atEnd: true };
    }
    await filling.flush();
    const total = await takeOver(target, start, created);
    if (target.replacing) await setReplacingVisible(client, target.sourceId, true);
    await client.query('commit');
    committed = true;
    yield { total, rejections: [], line: last, atEnd: false };
  } finally {
    if (!committed) {
      await filling.abandon();
      await client.query('rollback').catch(() => {});
    }
  }
}

/** Replaces `object` with the filled table, and stores the objects with known keys there. */
async function takeOver(target: BatchTarget, start: bigint, created: number): Promise<Difference> {
  const { client, sourceId } = target;
  const indexes = await indexNextTable(client);
  await lockSourceAlone(client, sourceId);
  const newest = await currentSerial(client, sourceId);
  if (newest !== start) await shiftSerials(client, newest - start);
  const instant = target.clock();
  await announceNextTable(client, sourceId, instant);
  await lockTable(client, () => delay(pauseMs));
  if (!(await isSmall(client))) throw new ServiceError('conflict', 'Other loads have filled the registry: load again');
  await takeSerials(client, sourceId, created);
  await switchTables(client, indexes).catch((error: unknown) => {
    throw (error as { code?: string }).code === '23505'
      ? new ServiceError('conflict', 'Others created objects of the dump: load again')
      : error;
  });
  const known = await compareBatch(client, sourceId);
  const changes = known.created + known.modified;
  if (changes > 0) await mergeBatch(client, sourceId, await takeSerials(client, sourceId, changes), instant);
  return sum(known, { created, modified: 0, unchanged: 0 });
}
