import type { LoadSettings } from '@cadastre/proto/objects';
import type pg from 'pg';
import { isEmpty } from '../store/exports.js';
import { refreshStatistics } from '../store/maintenance.js';
import { currentSerial } from '../store/serials.js';
import type { Source } from '../store/sources.js';
import { decodeText } from './decode.js';
import { deleteOthers } from './delete-others.js';
import { oneAhead } from './one-ahead.js';
import { type Batch, noNamedKeys, readBatches } from './read-batches.js';
import type { Rejection } from './read-object.js';
import { type BatchResult, type BatchTarget, storeBatch } from './store-batch.js';

/** What a load has done so far. */
export interface LoadCounts {
  readonly created: number;
  readonly modified: number;
  readonly unchanged: number;
  readonly deleted: number;
  readonly rejected: number;
}

export interface LoadNews {
  readonly counts: LoadCounts;
  /** Since the last news. */
  readonly rejections: readonly Rejection[];
}

/** From so many changes on the planner's statistics are renewed. */
const manyChanges = 10_000;

/**
 * Loads a dump and tells after each batch, and after the deletions of a replacing load, what was done. While the
 * database stores a batch the next one is read. Data that ends before the dump does must throw, or else a replacing
 * load takes the rest for missing.
 */
export async function* load(
  client: pg.ClientBase,
  source: Source,
  settings: LoadSettings,
  data: AsyncIterable<Buffer>,
  clock: () => Date,
): AsyncGenerator<LoadNews> {
  const target: BatchTarget = { client, sourceId: source.id, clock, dryRun: settings.dryRun };
  const since = await currentSerial(client, source.id);
  const named = noNamedKeys();
  const batches = readBatches(decodeText(data, settings.encoding), source.name, named);
  let counts: LoadCounts = { created: 0, modified: 0, unchanged: 0, deleted: 0, rejected: 0 };
  for await (const { result, rejections } of oneAhead(batches, await storing(target, since))) {
    counts = added(counts, result, rejections.length);
    yield { counts, rejections };
  }
  if (settings.replace) {
    counts = { ...counts, deleted: await deleteOthers(target, named, since) };
    yield { counts, rejections: [] };
  }
  const changed = counts.created + counts.modified + counts.deleted;
  if (!settings.dryRun && changed >= manyChanges) await refreshStatistics(client);
}

/** Makes the function that stores one batch after the other. */
async function storing(
  target: BatchTarget,
  since: bigint,
): Promise<(batch: Batch) => Promise<{ result: BatchResult; rejections: readonly Rejection[] }>> {
  let aloneAt = (await isEmpty(target.client, target.sourceId)) ? since : undefined;
  return async ({ objects, rejections }) => {
    const result = await storeBatch(target, objects, aloneAt);
    aloneAt = result.aloneAt;
    return { result, rejections };
  };
}

function added(counts: LoadCounts, result: BatchResult, rejected: number): LoadCounts {
  return {
    ...counts,
    created: counts.created + result.created,
    modified: counts.modified + result.modified,
    unchanged: counts.unchanged + result.unchanged,
    rejected: counts.rejected + rejected,
  };
}
