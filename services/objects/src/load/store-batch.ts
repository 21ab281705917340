import { inTransactionOn } from '@cadastre/service';
import type pg from 'pg';
import { compareBatch, type Difference, mergeBatch, sendToBatch } from '../store/bulk.js';
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
}

/** Stores batches one after the other, each in a transaction, so that readers see the load grow. */
export async function* storeBatches(target: BatchTarget, batches: AsyncIterable<Batch>): AsyncGenerator<Stored> {
  let total: Difference = { created: 0, modified: 0, unchanged: 0 };
  for await (const batch of batches) {
    total = sum(total, await storeBatch(target, batch));
    yield { total, rejections: batch.rejections, line: batch.line, atEnd: false };
  }
}

export function sum(one: Difference, other: Difference): Difference {
  return {
    created: one.created + other.created,
    modified: one.modified + other.modified,
    unchanged: one.unchanged + other.unchanged,
  };
}

/** Stores what is different in a batch, without other writers to the source. */
async function storeBatch(target: BatchTarget, { rows, knownRows, handles }: Batch): Promise<Difference> {
  const { client, sourceId, dryRun } = target;
  return inTransactionOn(client, async () => {
    if (!dryRun) await lockSourceAlone(client, sourceId);
    await sendToBatch(client, [...rows, ...knownRows]);
    const difference = await compareBatch(client, sourceId);
    const changes = difference.created + difference.modified;
    if (changes === 0 || dryRun) return difference;
    await mergeBatch(client, sourceId, await takeSerials(client, sourceId, changes), target.clock());
    await takeHandles(client, sourceId, handles);
    return difference;
  });
}
