import { inTransactionOn } from '@cadastre/service';
import type pg from 'pg';
import { compareBatch, type Difference, mergeBatch } from '../store/bulk.js';
import { takeHandles } from '../store/handles.js';
import { lockSourceAlone } from '../store/locks.js';
import { takeSerials } from '../store/serials.js';
import type { Batch } from './accept-part.js';

/** Where and how to store batches. */
export interface BatchTarget {
  readonly client: pg.ClientBase;
  readonly sourceId: number;
  readonly clock: () => Date;
  readonly dryRun: boolean;
}

/** Stores what is different in a batch, in one transaction without other writers to the source. */
export async function storeBatch(target: BatchTarget, batch: Batch): Promise<Difference> {
  const { client, sourceId } = target;
  return inTransactionOn(client, async () => {
    if (target.dryRun) return compareBatch(client, sourceId, batch.rows);
    await lockSourceAlone(client, sourceId);
    const difference = await compareBatch(client, sourceId, batch.rows);
    const changes = difference.created + difference.modified;
    if (changes > 0) {
      await mergeBatch(client, sourceId, await takeSerials(client, sourceId, changes), target.clock());
      await takeHandles(client, sourceId, batch.handles);
    }
    return difference;
  });
}
