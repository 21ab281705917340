import { ServiceError } from '@cadastre/service';
import type { Batch } from '../index-port.js';
import { refresh, writeDocuments } from './bulk-write.js';
import type { Cluster } from './cluster.js';
import { ensureIndex } from './generations.js';
import type { IndexLayout } from './mapping.js';
import type { SourceNames } from './names.js';
import { readPosition, writePosition } from './stored-position.js';

/**
 * Writes documents first, then the position: after an interruption, a repeat from the old position has the same result.
 * Writes both to the index that held the position at the beginning, even if the alias has switched since.
 */
export async function applyBatch(
  cluster: Cluster,
  names: SourceNames,
  layout: IndexLayout,
  batch: Batch,
): Promise<void> {
  const previous = await readPosition(cluster, names.alias);
  const reached = previous?.serial ?? 0n;
  if (reached < batch.after) throw new ServiceError('conflict', 'The batch starts after the position of the index');
  const index = previous?.index ?? (await ensureIndex(cluster, names, layout));
  const isEmpty = batch.documents.length + batch.deletions.length === 0;
  if (previous && (batch.serial < reached || (batch.serial === reached && !isEmpty))) return;
  if (!isEmpty) {
    await writeDocuments(cluster, index, batch, batch.serial);
    await refresh(cluster, index);
  }
  await writePosition(cluster, index, batch, previous);
}
