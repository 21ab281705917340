import type { ChangeEntry, ChangeFeedServiceService, WatchRequest, WatchResponse } from '@cadastre/proto/objects';
import { type Call, type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { readChanges, type StoredChange } from '../store/changes.js';
import { currentSerial } from '../store/serials.js';
import type { Source } from '../store/sources.js';
import { registryObject } from './registry-object.js';
import { requireSource } from './requested.js';

const pageSize = 500;
/** How long a commit can go unnoticed when its announcement was lost. */
const pollMs = 2000;
/** The contract promises a sign of life every ten seconds. */
const heartbeatMs = 5000;

export function watch(context: Context): Handlers<typeof ChangeFeedServiceService>['watch'] {
  return async function* (request, call) {
    const source = requireSource(context.sources, request.source);
    const newest = await currentSerial(context.readPool, source.id);
    if (!request.fromNow && request.afterSerial > newest) {
      throw new ServiceError('out-of-range', `The newest serial is ${newest}`);
    }
    if (request.fromNow) yield { changes: [], serial: newest };
    yield* follow(context, source, request, request.fromNow ? newest : request.afterSerial, call);
  };
}

/** Sends what is there, waits for more, and so on until the caller goes away. */
async function* follow(
  context: Context,
  source: Source,
  request: WatchRequest,
  start: bigint,
  call: Call,
): AsyncGenerator<WatchResponse> {
  let after = start;
  let sentAt = Date.now();
  while (!call.signal.aborted) {
    if (context.changes.stopped()) throw new ServiceError('unavailable', 'The service is stopping');
    const seen = context.changes.generation(source.id);
    const upTo = await currentSerial(context.readPool, source.id);
    if (upTo > after) {
      const part = { after, upTo, limit: pageSize, latestOnly: request.latestOnly };
      const page = await readChanges(context.readPool, source.id, part);
      after = page.serial;
      yield { changes: page.changes.map((one) => changeEntry(source, one, request.keysOnly)), serial: after };
      sentAt = Date.now();
      continue;
    }
    await context.changes.wait(source.id, seen, pollMs, call.signal);
    if (!call.signal.aborted && Date.now() - sentAt >= heartbeatMs) {
      yield { changes: [], serial: after };
      sentAt = Date.now();
    }
  }
}

function changeEntry(source: Source, change: StoredChange, keysOnly: boolean): ChangeEntry {
  const { serial, operation, instant, stored } = change;
  const object = registryObject(source, stored);
  return { serial, operation, instant, object: keysOnly ? { ...object, text: '' } : object };
}
