import type { ChangeEntry, WatchRequest, WatchResponse } from '@cadastre/proto/objects';
import { Operation } from '@cadastre/proto/registry';
import { ServiceError } from '@cadastre/service';
import { expect, test } from 'vitest';
import { isLostPlace, type WatchOptions, watchChanges } from './watch-changes.js';

const instant = (minute: number) => new Date(Date.UTC(2026, 0, 31, 12, minute));
const change = (serial: bigint): ChangeEntry => ({
  ...{ serial, operation: Operation.OPERATION_UPDATE, instant: instant(Number(serial)) },
  object: undefined,
});

/** Follows a feed that sends these messages, and ends; returns the request, the positions and the error. */
async function follow(messages: WatchResponse[], options: Partial<WatchOptions>, stopped = false) {
  const requests: WatchRequest[] = [];
  const stopping = new AbortController();
  const feed = {
    async *watch(request: WatchRequest) {
      requests.push(request);
      yield* messages;
      if (stopped) stopping.abort();
    },
  };
  const positions: unknown[] = [];
  const watched = watchChanges(feed, { source: 'TEST', from: 'now', signal: stopping.signal, ...options });
  const read = async () => {
    for await (const { position } of watched) positions.push(position);
  };
  const error: unknown = await read().catch((thrown) => thrown);
  return { request: requests[0], positions, error };
}

test('a feed continues after a position, which heartbeats do not change', async () => {
  const from = { serial: 4n, instant: instant(4) };
  const messages = [
    { changes: [], serial: 4n },
    { changes: [change(5n), change(6n)], serial: 6n },
    { changes: [], serial: 6n },
    { changes: [change(7n)], serial: 9n },
  ];
  const { request, positions } = await follow(messages, { from, latestOnly: true });
  expect(request).toMatchObject({ afterSerial: 4n, afterInstant: instant(4), fromNow: false, latestOnly: true });
  expect(positions).toEqual([
    from,
    { serial: 6n, instant: instant(6) },
    { serial: 6n, instant: instant(6) },
    { serial: 9n, instant: undefined },
  ]);
});

test('a feed from now on begins at the serial of its first message', async () => {
  const { request, positions } = await follow([{ changes: [], serial: 8n }], { keysOnly: true });
  expect(request).toMatchObject({ fromNow: true, keysOnly: true });
  expect(positions).toEqual([{ serial: 8n, instant: undefined }]);
});

test('a feed that ends is an error, unless it was stopped', async () => {
  expect((await follow([], {})).error).toMatchObject({ kind: 'unavailable' });
  expect((await follow([], {}, true)).error).toBeUndefined();
});

test.each([
  [new ServiceError('out-of-range', 'The newest serial is 3'), true],
  [new ServiceError('unavailable', 'away'), false],
  [new Error('away'), false],
])('%s: a lost place: %s', (error, isLost) => expect(isLostPlace(error)).toBe(isLost));
