import { type ObjectTypeName, objectTypeNames } from '@cadastre/rpsl';
import { inTransactionOn } from '@cadastre/service';
import { deleteMany } from '../store/bulk.js';
import { keysAfter } from '../store/exports.js';
import { lockSourceAlone } from '../store/locks.js';
import { takeSerials } from '../store/serials.js';
import type { NamedKeys } from './accept-part.js';
import { namedKey } from './read-object.js';
import type { BatchTarget } from './store-batch.js';

const pageSize = 5000;
const reason = 'not in the loaded text';

/** The objects of a source beside a dump. */
export interface Others {
  /** Objects that are not in the dump. */
  readonly others: number;
  /** All objects of the source. */
  readonly stored: number;
}

/** Counts what `deleteOthers` with the same arguments would delete. */
export async function countOthers({ client, sourceId }: BatchTarget, named: NamedKeys, since: bigint): Promise<Others> {
  let [others, stored] = [0, 0];
  await forEachPage(async (page) => {
    const found = await keysAfter(client, sourceId, page.type, page.after, pageSize);
    others += found.filter((one) => isOther(named, page.type, one, since)).length;
    stored += found.length;
    return lastOf(found);
  });
  return { others, stored };
}

/**
 * Deletes the objects of the source that are not in the dump, and returns their number. Keeps objects that others wrote
 * since the load began (after `since`), which the dump cannot contain.
 */
export async function deleteOthers(target: BatchTarget, named: NamedKeys, since: bigint): Promise<number> {
  const { client, sourceId } = target;
  let deleted = 0;
  await forEachPage((page) =>
    inTransactionOn(client, async () => {
      await lockSourceAlone(client, sourceId);
      const found = await keysAfter(client, sourceId, page.type, page.after, pageSize);
      const gone = found.filter((one) => isOther(named, page.type, one, since));
      if (gone.length > 0) {
        const firstSerial = await takeSerials(client, sourceId, gone.length);
        const ids = gone.map(({ key }) => ({ sourceId, type: page.type, key }));
        await deleteMany(client, ids, { firstSerial, instant: target.clock(), reason });
      }
      deleted += gone.length;
      return lastOf(found);
    }),
  );
  return deleted;
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
