import { objectTypeNames } from '@cadastre/rpsl';
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

/**
 * Deletes the objects of the source that are not in the dump, and returns their number. Keeps objects that others wrote
 * since the load began (after `since`), which the dump cannot contain.
 */
export async function deleteOthers(target: BatchTarget, named: NamedKeys, since: bigint): Promise<number> {
  let deleted = 0;
  for (const type of objectTypeNames) {
    let after = '';
    for (;;) {
      const { last, count } = await deletePage(target, named, { type, after, since });
      deleted += count;
      if (last === undefined) break;
      after = last;
    }
  }
  return deleted;
}

async function deletePage(
  target: BatchTarget,
  named: NamedKeys,
  page: { type: (typeof objectTypeNames)[number]; after: string; since: bigint },
): Promise<{ last: string | undefined; count: number }> {
  const { client, sourceId } = target;
  return inTransactionOn(client, async () => {
    if (!target.dryRun) await lockSourceAlone(client, sourceId);
    const found = await keysAfter(client, sourceId, page.type, page.after, pageSize);
    const last = found.length === pageSize ? found.at(-1)!.key : undefined;
    const gone = found.filter((one) => one.serial <= page.since && !isNamed(named, { ...one, type: page.type }));
    if (gone.length > 0 && !target.dryRun) {
      const firstSerial = await takeSerials(client, sourceId, gone.length);
      const ids = gone.map(({ key }) => ({ sourceId, type: page.type, key }));
      await deleteMany(client, ids, { firstSerial, instant: target.clock(), reason });
    }
    return { last, count: gone.length };
  });
}

function isNamed(named: NamedKeys, id: { type: string; key: string }): boolean {
  const text = namedKey(id);
  return named.accepted.has(text) || named.rejected.has(text);
}
