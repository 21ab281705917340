import { ServiceError } from '@cadastre/service';
import type { Batch, IndexDocument, ObjectId } from '../index-port.js';
import { type Cluster, unavailable } from './cluster.js';
import { documentId, ensureIndex, type SourceNames } from './generations.js';
import { type IndexLayout, toStored } from './stored-document.js';
import { readPosition, writePosition } from './stored-state.js';

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

/** Approximate maximum size of a bulk request; one document may be larger. */
const largestRequest = 4_000_000;

interface Outcome {
  readonly status: number;
  readonly error?: { readonly type: string; readonly reason: string };
}

interface Answer {
  readonly errors: boolean;
  readonly items: readonly Readonly<Record<string, Outcome>>[];
}

/** The lines of a bulk request for one document. */
type Change = readonly string[];

/**
 * Writes and removes documents of one index. Does not replace documents with a higher version, so a writer that fell
 * behind is harmless. Queries see the result after `refresh`.
 */
export async function writeDocuments(
  cluster: Cluster,
  index: string,
  changes: { documents: readonly IndexDocument[]; deletions: readonly ObjectId[] },
  version: bigint,
): Promise<void> {
  const versioned = { version: version.toString(), version_type: 'external_gte' };
  let part: Change[] = [];
  let size = 0;
  for (const change of changeLines(changes, versioned)) {
    part.push(change);
    size += change.reduce((sum, line) => sum + line.length, 0);
    if (size < largestRequest) continue;
    await send(cluster, index, part);
    part = [];
    size = 0;
  }
  if (part.length > 0) await send(cluster, index, part);
}

function* changeLines(
  { documents, deletions }: { documents: readonly IndexDocument[]; deletions: readonly ObjectId[] },
  versioned: object,
): Iterable<Change> {
  for (const id of deletions) yield [JSON.stringify({ delete: { _id: documentId(id), ...versioned } })];
  for (const document of documents) {
    const action = { index: { _id: documentId(document), ...versioned } };
    yield [JSON.stringify(action), JSON.stringify(toStored(document))];
  }
}

async function send(cluster: Cluster, index: string, part: readonly Change[]): Promise<void> {
  const answer = await cluster.write<Answer>({ method: 'POST', path: `/${index}/_bulk`, lines: part.flat() });
  if (!answer) throw unavailable('the index is gone');
  if (!answer.errors) return;
  const failed = answer.items
    .flatMap((item) => Object.values(item))
    .filter(({ error, status }) => error && status !== 409);
  if (failed.length === 0) return;
  const { status, error } = failed[0]!;
  const cause = new Error(
    `${failed.length} documents were refused, the first one because of ${error!.type}: ${error!.reason}`,
  );
  throw status === 429 || status >= 500 || status === 404 || status === 403 ? unavailable(cause) : cause;
}

/** Makes everything written to the index visible to queries. */
export async function refresh(cluster: Cluster, index: string): Promise<void> {
  if (!(await cluster.write({ method: 'POST', path: `/${index}/_refresh` }))) throw unavailable('the index is gone');
}
