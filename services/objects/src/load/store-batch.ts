import type { LoadedKeys } from '@cadastre/proto/objects';
import { inTransactionOn } from '@cadastre/service';
import type pg from 'pg';
import { compareBatch, type Difference, emptyBatch, mergeBatch, sendToBatch } from '../store/bulk.js';
import { takeHandles } from '../store/handles.js';
import { lockSourceAlone } from '../store/locks.js';
import { takeSerials } from '../store/serials.js';
import type { Batch } from './accept-part.js';
import type { Rejection } from './read-object.js';

/** Where and how to store batches. */
export interface BatchTarget {
  readonly client: pg.ClientBase;
  readonly sourceId: number;
  readonly clock: () => Date;
  readonly dryRun: boolean;
}

/** What a load has stored so far. */
export interface Stored {
  readonly total: Difference;
  /** Since the last one. */
  readonly rejections: readonly Rejection[];
  /** First line of the last object, from 1. */
  readonly line: number;
  /** Whether these objects are stored only at the end of the load. */
  readonly atEnd: boolean;
  /** Absent when a broken load must start again. */
  readonly resume?: Resume;
}

/** Where a load can resume. */
export interface Resume {
  /** The first line to read again. */
  readonly line: number;
  /** The keys of the dump since the last one. */
  readonly keys: LoadedKeys;
  /** Whether changes wait in the table `staged`. */
  readonly staged: boolean;
}

/**
 * The same target with one time for everything that a transaction stores, so that the past never shows a part of it.
 */
export function atOneInstant<T extends Pick<BatchTarget, 'clock'>>(target: T): T {
  const instant = target.clock();
  return { ...target, clock: () => instant };
}

export const nothing: Difference = { created: 0, modified: 0, unchanged: 0 };

/** Stores batches one after the other, each in a transaction, so that readers see the load grow. */
export async function* storeBatches(target: BatchTarget, batches: AsyncIterable<Batch>): AsyncGenerator<Stored> {
  let total = nothing;
  for await (const batch of batches) {
    total = sum(total, await storeBatch(target, batch));
    yield storedUpTo(batch, total, false);
  }
}

/**
 * Stores the first objects of a copy in one transaction, without the staging table: there are no other writers, because
 * the caller has the load lock. However it ends, the transaction has ended.
 */
export async function* storeAtOnce(target: BatchTarget, batches: AsyncIterable<Batch>): AsyncGenerator<Stored> {
  const { client } = target;
  const atOnce = atOneInstant(target);
  let total = nothing;
  let last = 0;
  let committed = false;
  await client.query('begin');
  try {
    for await (const { rows, knownRows, rejections, line } of batches) {
      await emptyBatch(client);
      await sendToBatch(client, [...rows, ...knownRows]);
      const difference = await compareBatch(client, target.sourceId);
      if (!isSame(difference)) await mergeDifference(atOnce, difference);
      total = sum(total, difference);
      last = line;
      yield { total, rejections, line, atEnd: true };
    }
    await client.query('commit');
    committed = true;
    yield { total, rejections: [], line: last, atEnd: false };
  } finally {
    if (!committed) await client.query('rollback').catch(() => {}); // the connection broke
  }
}

/** The state after a batch. */
export function storedUpTo(batch: Batch, total: Difference, staged: boolean): Stored {
  const { rejections, line, end, added: keys } = batch;
  return { total, rejections, line, atEnd: staged, resume: { line: end, keys, staged } };
}

export function sum(one: Difference, other: Difference): Difference {
  return {
    created: one.created + other.created,
    modified: one.modified + other.modified,
    unchanged: one.unchanged + other.unchanged,
  };
}

/** Stores the differences of a batch, without other writers to the source. */
export async function storeBatch(target: BatchTarget, { rows, knownRows, handles }: Batch): Promise<Difference> {
  const { client, sourceId, dryRun } = target;
  return inTransactionOn(client, async () => {
    if (!dryRun) await lockSourceAlone(client, sourceId);
    await sendToBatch(client, [...rows, ...knownRows]);
    const difference = await compareBatch(client, sourceId);
    if (isSame(difference) || dryRun) return difference;
    await mergeDifference(target, difference);
    await takeHandles(client, sourceId, handles);
    return difference;
  });
}

export function isSame({ created, modified }: Difference): boolean {
  return created + modified === 0;
}

/** Stores the difference between the batch of this transaction and the objects. */
export async function mergeDifference(
  { client, sourceId, clock }: BatchTarget,
  { created, modified }: Difference,
): Promise<void> {
  await mergeBatch(client, sourceId, await takeSerials(client, sourceId, created + modified), clock());
}
