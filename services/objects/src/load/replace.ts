import type { LoadSettings } from '@cadastre/proto/objects';
import { inTransactionOn, ServiceError } from '@cadastre/service';
import { compareBatch, sendToBatch } from '../store/bulk.js';
import { takeHandles } from '../store/handles.js';
import { lockSourceAlone } from '../store/locks.js';
import type { Source, SourceKind } from '../store/sources.js';
import {
  discardStaged,
  type StagedSize,
  setReplacingVisible,
  stageBatch,
  stagedSize,
  takeStaged,
} from '../store/staged.js';
import type { Batch } from './accept-part.js';
import {
  deleteFound,
  deleteOthers,
  deleteOthersNow,
  findOthers,
  type RefusedDeletion,
  refuseDeletion,
} from './delete-others.js';
import type { NamedKeys } from './named-keys.js';
import {
  atOneInstant,
  type BatchTarget,
  isSame,
  mergeDifference,
  nothing,
  type Stored,
  storeBatch,
  storedUpTo,
  sum,
} from './store-batch.js';

/** What a replacing load may store in one transaction, changes and deletions together. */
export interface ReplacingStep extends StagedSize {
  /** Whether the load stores nothing when it refuses to delete. */
  readonly allOrNothing: boolean;
}

/**
 * Writers of the source wait during the transaction: a main source has some, a mirror none. The numbers are from ADR
 * 0031.
 */
const maxAtOnce: Readonly<Record<SourceKind, StagedSize>> = {
  main: { objects: 10_000, bytes: 32 * 1024 * 1024 },
  grs: { objects: 200_000, bytes: 256 * 1024 * 1024 },
};

/**
 * The step of a load. All of a copy may be one step: no one waits for it (ADR 0033). Errors: ServiceError 'invalid'
 * when the settings request that of another load.
 */
export function replacingStep({ name, kind }: Source, { allOrNothing, replace }: LoadSettings): ReplacingStep {
  if (!allOrNothing) return { ...maxAtOnce[kind], allOrNothing: false };
  if (kind === 'main') throw new ServiceError('invalid', `${name} is not a copy of another registry`);
  if (!replace) throw new ServiceError('invalid', 'Only a load with "replace" can be all or nothing');
  return { objects: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY, allOrNothing: true };
}

/**
 * Stages the differences of the batches, invisible to readers. When they become too many for one transaction, stores
 * all of them, and from then on batch after batch: readers see the load grow.
 */
export async function* stageBatches(
  target: BatchTarget,
  max: ReplacingStep,
  batches: AsyncIterable<Batch>,
): AsyncGenerator<Stored> {
  let total = nothing;
  let size = await stagedSize(target.client, target.sourceId);
  let staging = true;
  for await (const batch of batches) {
    if (staging) {
      const { difference, added } = await stage(target, batch);
      total = sum(total, difference);
      size = { objects: size.objects + added.objects, bytes: size.bytes + added.bytes };
      if (size.objects > max.objects || size.bytes > max.bytes) {
        await storeStagedVisibly(target);
        staging = false;
      }
    } else {
      total = sum(total, await storeBatch(target, batch));
    }
    yield storedUpTo(batch, total, staging);
  }
}

/** Needs no lock: the end of the load compares again. */
function stage({ client, sourceId }: BatchTarget, { rows, knownRows, handles }: Batch) {
  return inTransactionOn(client, async () => {
    await sendToBatch(client, [...rows, ...knownRows]);
    const difference = await compareBatch(client, sourceId);
    if (isSame(difference)) return { difference, added: { objects: 0, bytes: 0 } };
    await takeHandles(client, sourceId, handles);
    return { difference, added: await stageBatch(client, sourceId) };
  });
}

async function storeStagedVisibly(target: BatchTarget): Promise<void> {
  const { client, sourceId } = target;
  await inTransactionOn(client, async () => {
    await lockSourceAlone(client, sourceId);
    await storeStaged(target);
    await setReplacingVisible(client, sourceId, true);
  });
}

async function storeStaged(target: BatchTarget): Promise<void> {
  const { client, sourceId } = target;
  await takeStaged(client, sourceId, async () => {
    const difference = await compareBatch(client, sourceId);
    if (!isSame(difference)) await mergeDifference(target, difference);
  });
}

/** A replacing load that has read all of its dump. */
export interface ReadDump {
  readonly named: NamedKeys;
  /** The serial of the source before the load. */
  readonly since: bigint;
  readonly accepted: number;
  readonly rejected: number;
  readonly modified: number;
  /** Whether its changes are in the staging table. */
  readonly staged: boolean;
}

/**
 * Ends a replacing load: stores what is staged and deletes what the dump does not have, in one transaction if that is
 * small enough. A dry run only reports what would be deleted.
 */
export async function endReplacing(
  target: BatchTarget,
  step: ReplacingStep,
  settings: Pick<LoadSettings, 'allowedDeletes' | 'allOrNothing'>,
  { named, since, accepted, rejected, modified, staged }: ReadDump,
): Promise<{ readonly deleted: number; readonly refused: RefusedDeletion | undefined }> {
  const { client, sourceId, dryRun } = target;
  const { others, ids, untouched } = await findOthers(target, named, since, step.allOrNothing ? 0 : step.objects);
  const sourceObjects = untouched + (dryRun || staged ? 0 : modified);
  const refused = refuseDeletion(settings, { deletes: others, sourceObjects }, { accepted, rejected });
  const deletes = refused === undefined ? others : 0;
  if (dryRun) return { deleted: deletes, refused };
  if (step.allOrNothing) {
    if (refused === undefined) return { deleted: await storeAll(target, named, since, deletes > 0), refused };
    await discardStaged(client, sourceId);
    return { deleted: 0, refused };
  }
  const isAtOnce = deletes + (staged ? (await stagedSize(client, sourceId)).objects : 0) <= step.objects;
  const deleted = await inTransactionOn(client, async () => {
    await lockSourceAlone(client, sourceId);
    if (staged) await storeStaged(target);
    await setReplacingVisible(client, sourceId, !isAtOnce);
    return isAtOnce && deletes > 0 ? deleteFound(target, ids, since) : 0;
  });
  if (isAtOnce) return { deleted, refused };
  const all = await deleteOthers(target, named, since);
  await setReplacingVisible(client, sourceId, false);
  return { deleted: all, refused };
}

/** Stores what is staged and deletes what the dump does not have, in one transaction; returns the number deleted. */
function storeAll(target: BatchTarget, named: NamedKeys, since: bigint, deletes: boolean): Promise<number> {
  const { client, sourceId } = target;
  return inTransactionOn(client, async () => {
    await lockSourceAlone(client, sourceId);
    const atOnce = atOneInstant(target);
    await storeStaged(atOnce);
    await setReplacingVisible(client, sourceId, false);
    return deletes ? deleteOthersNow(atOnce, named, since) : 0;
  });
}
