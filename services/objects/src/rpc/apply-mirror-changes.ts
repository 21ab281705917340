import type { ApplyMirrorChangesRequest, MirrorChange, MirrorWriteServiceService } from '@cadastre/proto/objects';
import { type Call, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { applyChanges } from '../mirror/apply-changes.js';
import { firstSettings } from './first-settings.js';
import { takeLoadLock } from './load.js';
import { requireSource } from './requested.js';

/** Maximum number of rejected changes in a response. */
const maxRejections = 100;

export function applyMirrorChanges(context: Context): Handlers<typeof MirrorWriteServiceService>['applyMirrorChanges'] {
  return async (requests, call) => {
    const parts = requests[Symbol.asyncIterator]();
    const { source: name, originSource } = await firstSettings(parts);
    const source = requireSource(context.sources, name);
    if (source.kind !== 'grs') throw new ServiceError('invalid', `${source.name} is not a copy of another registry`);
    const lock = await takeLoadLock(context.loadPool, source);
    const changes = changesOf(parts, call);
    const applied = await applyChanges(lock.client, source, originSource, changes, context).finally(lock.release);
    const { rejections, serial, ...counts } = applied;
    const rejected = rejections.length;
    call.logger.info({ source: source.name, ...counts, rejected }, 'applied changes of the registry');
    return {
      created: BigInt(counts.created),
      modified: BigInt(counts.modified),
      unchanged: BigInt(counts.unchanged),
      deleted: BigInt(counts.deleted),
      missing: BigInt(counts.missing),
      rejected: BigInt(rejected),
      rejections: rejections
        .slice(0, maxRejections)
        .map(({ line, name, reasons }) => ({ position: BigInt(line), name, reasons: [...reasons] })),
      serial,
    };
  };
}

/** Throws when the caller cancels, because then changes are missing. */
async function* changesOf(parts: AsyncIterator<ApplyMirrorChangesRequest>, call: Call): AsyncGenerator<MirrorChange> {
  for (;;) {
    const next = await parts.next();
    if (call.signal.aborted) throw new ServiceError('cancelled', 'The call was cancelled');
    if (next.done) return;
    const { part } = next.value;
    if (part?.$case !== 'changes') throw new ServiceError('invalid', 'Only the first message may be settings');
    yield* part.value.changes;
  }
}
