import type { HistoryServiceService } from '@cadastre/proto/objects';
import { type Handlers, inTransaction, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { eraseNotices, eraseHistory as eraseStored } from '../store/erase.js';
import { lockSource } from '../store/locks.js';
import { loadObjects } from '../store/objects.js';
import { maxRevision } from '../store/versions.js';
import { requireKey } from './requested.js';

const maxReasonLength = 1_000;
const maxNameLength = 200;

export function eraseHistory(context: Context): Handlers<typeof HistoryServiceService>['eraseHistory'] {
  return async ({ key, lastRevision, reason, erasedBy }, call) => {
    const { source, id } = requireKey(context.sources, key);
    requireText('reason', reason, maxReasonLength);
    requireText('name', erasedBy, maxNameLength);
    const last = lastRevision === 0 ? maxRevision : Math.min(lastRevision, maxRevision);
    const erased = await inTransaction(
      context.writePool,
      async (db) => {
        const [stored] = await loadObjects(db, [id]);
        if (stored === undefined) throw new ServiceError('not-found', 'This object never existed');
        const erasure = { lastRevision: Math.min(last, stored.revision), instant: context.clock(), erasedBy, reason };
        // Does not erase later writes. All writers wait for the row, so this does not hold it while it reads notices.
        const notices = await eraseNotices(db, id);
        await lockSource(db, id.sourceId);
        return eraseStored(db, id, erasure, notices);
      },
      { signal: call.signal },
    );
    call.logger.info({ source: source.name, type: id.type, key: id.key, erasedBy, ...erased }, 'erased history');
    return erased;
  };
}

function requireText(name: string, text: string, longest: number): void {
  if (text.trim() !== '' && text.length <= longest) return;
  throw new ServiceError('invalid', `A ${name} is required, of at most ${longest} characters`);
}
