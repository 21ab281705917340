import type { ChangeEntry, ChangeFeedServiceService, WatchRequest, WatchResponse } from '@cadastre/proto/objects';
import type { RegistryObject } from '@cadastre/proto/registry';
import { type Call, duringCall, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { readChanges, type StoredChange } from '../store/changes.js';
import { trimmedSerial } from '../store/kept-changes.js';
import { currentSerial } from '../store/serials.js';
import type { Source } from '../store/sources.js';
import type { Db, StoredObject } from '../store/stored-object.js';
import { registryObject, unlessUnreadable } from './registry-object.js';
import { requireSource } from './requested.js';

/** Maximum delay of a change whose notification (NOTIFY) was lost. */
const pollMs = 2000;
/** The contract promises a message at least every ten seconds. */
const heartbeatMs = 5000;
/** Changes younger than this are never removed: the shortest time that an operator can choose is a day. */
const certainlyKeptMs = 60 * 60 * 1000;

export function watch(context: Context): Handlers<typeof ChangeFeedServiceService>['watch'] {
  return async function* (request, call) {
    const source = requireSource(context.sources, request.source);
    const newest = await currentSerial(duringCall(context.readPool, call), source.id);
    if (!request.fromNow && request.afterSerial > newest) {
      throw new ServiceError('out-of-range', `The newest serial is ${newest}`);
    }
    if (request.fromNow) yield { changes: [], serial: newest };
    yield* follow(context, source, request, request.fromNow ? newest : request.afterSerial, call);
  };
}

/** Sends all changes, then waits for more, until the caller closes the stream. */
async function* follow(
  context: Context,
  source: Source,
  request: WatchRequest,
  start: bigint,
  call: Call,
): AsyncGenerator<WatchResponse> {
  const db = duringCall(context.readPool, call);
  let after = start;
  let sentAt = Date.now();
  /** When all changes had been sent, on the same clock. */
  let currentAt = request.fromNow ? sentAt : 0;
  while (!call.signal.aborted) {
    if (context.changes.stopped()) throw new ServiceError('unavailable', 'The service is stopping');
    const seen = context.changes.generation(source.id);
    const upTo = await currentSerial(db, source.id);
    if (upTo > after) {
      const page = await readChanges(db, source.id, { after, upTo, latestOnly: request.latestOnly });
      // After the page: changes may be removed at any time.
      if (Date.now() - currentAt > certainlyKeptMs) await requireKept(db, source, after);
      after = page.serial;
      const changes = page.changes.map((change) => changeEntry(context, source, change, request.keysOnly, call));
      yield { changes, serial: after };
      sentAt = Date.now();
      continue;
    }
    currentAt = Date.now();
    await context.changes.wait(source.id, seen, pollMs, call.signal);
    if (!call.signal.aborted && Date.now() - sentAt >= heartbeatMs) {
      yield { changes: [], serial: after };
      sentAt = Date.now();
    }
  }
}

/** Refuses to continue after a serial when later changes were removed because of their age. */
async function requireKept(db: Db, source: Source, after: bigint): Promise<void> {
  const trimmed = await trimmedSerial(db, source.id);
  if (after < trimmed) {
    throw new ServiceError('out-of-range', `The oldest change has the serial ${trimmed + 1n}: start from an export`);
  }
}

function changeEntry(
  context: Context,
  source: Source,
  change: StoredChange,
  keysOnly: boolean,
  call: Call,
): ChangeEntry {
  const { serial, operation, instant, stored } = change;
  const object =
    unlessUnreadable(context, source, stored, call, () => registryObject(source, stored)) ?? unreadable(source, stored);
  return { serial, operation, instant, object: keysOnly ? { ...object, text: '' } : object };
}

/** An unreadable object: type and key only. */
function unreadable(source: Source, { type, key }: StoredObject): RegistryObject {
  return { source: source.name, type, key, text: '', revision: 0, serial: 0n, contacts: [], tags: [] };
}
