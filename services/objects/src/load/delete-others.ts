import { DeletionRefusal, type LoadSettings } from '@cadastre/proto/objects';
import { type ObjectTypeName, objectTypeNames } from '@cadastre/rpsl';
import { inTransactionOn } from '@cadastre/service';
import { deleteMany, unchangedSince } from '../store/bulk.js';
import { keysAfter } from '../store/exports.js';
import { lockSourceAlone } from '../store/locks.js';
import { takeSerials } from '../store/serials.js';
import type { ObjectId } from '../store/stored-object.js';
import type { NamedKeys } from './named-keys.js';
import { namedKey } from './read-object.js';
import type { BatchTarget } from './store-batch.js';

const pageSize = 5000;
const reason = 'not in the loaded text';

/** The objects of a source that a dump does not have. */
export interface Others {
  /** Number of objects that are not in the dump. */
  readonly others: number;
  /** The first of them. */
  readonly ids: readonly ObjectId[];
  /** Number of objects that did not change since the load began. */
  readonly untouched: number;
}

/** Finds what `deleteOthers` with the same arguments would delete; returns the keys of up to `limit` objects. */
export async function findOthers(
  { client, sourceId }: BatchTarget,
  named: NamedKeys,
  since: bigint,
  limit: number,
): Promise<Others> {
  let [others, untouched] = [0, 0];
  const ids: ObjectId[] = [];
  await forEachPage(async (page) => {
    const found = await keysAfter(client, sourceId, page.type, page.after, pageSize);
    const gone = found.filter((one) => isOther(named, page.type, one, since));
    for (const { key } of gone.slice(0, limit - ids.length)) ids.push({ sourceId, type: page.type, key });
    others += gone.length;
    untouched += found.filter(({ serial }) => serial <= since).length;
    return lastOf(found);
  });
  return { others, ids, untouched };
}

/**
 * Deletes the objects of the source that are not in the dump, and returns their number. Does not delete objects that
 * others wrote since the load began (after `since`), which the dump cannot contain.
 */
export function deleteOthers(target: BatchTarget, named: NamedKeys, since: bigint): Promise<number> {
  const { client, sourceId } = target;
  return deletePages(target, named, since, (work) =>
    inTransactionOn(client, async () => {
      await lockSourceAlone(client, sourceId);
      return work();
    }),
  );
}

/** The same in a transaction that has the lock of the source. */
export function deleteOthersNow(target: BatchTarget, named: NamedKeys, since: bigint): Promise<number> {
  return deletePages(target, named, since, (work) => work());
}

type InTransaction = <T>(work: () => Promise<T>) => Promise<T>;

async function deletePages(
  target: BatchTarget,
  named: NamedKeys,
  since: bigint,
  inTransaction: InTransaction,
): Promise<number> {
  const { client, sourceId } = target;
  let deleted = 0;
  await forEachPage((page) =>
    inTransaction(async () => {
      const found = await keysAfter(client, sourceId, page.type, page.after, pageSize);
      const gone = found.filter((one) => isOther(named, page.type, one, since));
      const ids = gone.map(({ key }) => ({ sourceId, type: page.type, key }));
      await deleteObjects(target, ids, reason);
      deleted += gone.length;
      return lastOf(found);
    }),
  );
  return deleted;
}

/**
 * Deletes objects that `findOthers` found, except those that others wrote meanwhile, and returns their number. Needs a
 * transaction with the lock of the source.
 */
export async function deleteFound(target: BatchTarget, ids: readonly ObjectId[], since: bigint): Promise<number> {
  let deleted = 0;
  for (let at = 0; at < ids.length; at += pageSize) {
    const gone = await unchangedSince(target.client, ids.slice(at, at + pageSize), since);
    await deleteObjects(target, gone, reason);
    deleted += gone.length;
  }
  return deleted;
}

/** Deletes existing objects, for a reason that versions show. Needs a transaction with the lock of the source. */
export async function deleteObjects(
  { client, sourceId, clock }: Omit<BatchTarget, 'dryRun'>,
  ids: readonly ObjectId[],
  reason: string,
): Promise<void> {
  if (ids.length === 0) return;
  const firstSerial = await takeSerials(client, sourceId, ids.length);
  await deleteMany(client, ids, { firstSerial, instant: clock(), reason });
}

interface Page {
  readonly type: ObjectTypeName;
  /** The last key of the page before. */
  readonly after: string;
}

/** Calls `work` for each page of the keys of each type; it returns the page's last key if there may be more. */
async function forEachPage(work: (page: Page) => Promise<string | undefined>): Promise<void> {
  for (const type of objectTypeNames) {
    for (let after: string | undefined = ''; after !== undefined; ) after = await work({ type, after });
  }
}

function lastOf(found: readonly { key: string }[]): string | undefined {
  return found.length === pageSize ? found.at(-1)!.key : undefined;
}

function isOther(
  named: NamedKeys,
  type: ObjectTypeName,
  { key, serial }: { key: string; serial: bigint },
  since: bigint,
): boolean {
  const text = namedKey({ type, key });
  return serial <= since && !named.accepted.has(text) && !named.rejected.has(text);
}

/** A replacing load that deletes nothing, because the deletions look like a mistake. */
export interface RefusedDeletion {
  readonly reason: DeletionRefusal;
  /** Objects that it would have deleted. */
  readonly deletes: number;
  /** Objects of the source before the load. */
  readonly sourceObjects: number;
}

/** A load may delete one object of this many without permission. */
const shareAllowed = 10;

/**
 * Decides whether a replacing load may delete the objects that are not in its text (`LoadSettings.allowed_deletes`). An
 * empty or damaged dump must not empty a mirror. A follower of another registry always gets some objects that we cannot
 * read: such a load (`all_or_nothing`) treats them like the other objects that are missing.
 */
export function refuseDeletion(
  { allowedDeletes, allOrNothing = false }: Pick<LoadSettings, 'allowedDeletes' | 'allOrNothing'>,
  { deletes, sourceObjects }: Pick<RefusedDeletion, 'deletes' | 'sourceObjects'>,
  read: { readonly accepted: number; readonly rejected: number },
): RefusedDeletion | undefined {
  const refused = (reason: DeletionRefusal) => ({ reason, deletes, sourceObjects });
  if (deletes === 0) return undefined;
  if (allowedDeletes !== undefined) {
    return deletes > allowedDeletes ? refused(DeletionRefusal.DELETION_REFUSAL_TOO_MANY) : undefined;
  }
  if (read.rejected > 0 && !allOrNothing) return refused(DeletionRefusal.DELETION_REFUSAL_REJECTED_OBJECTS);
  if (read.accepted === 0) return refused(DeletionRefusal.DELETION_REFUSAL_NO_OBJECT);
  return deletes * shareAllowed > sourceObjects ? refused(DeletionRefusal.DELETION_REFUSAL_TOO_MANY) : undefined;
}
