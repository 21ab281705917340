import { type Source, SourceKind, type WatchResponse, WriteOutcome } from '@cadastre/proto/objects';
import { Operation } from '@cadastre/proto/registry';
import { createMetrics, type FailureKind, type Logger, ServiceError } from '@cadastre/service';
import { testLogger } from '@cadastre/service/testing';
import { expect, it, vi } from 'vitest';
import { createChangeFollower } from './change-follower.js';
import { type CachedResponse, createLookupCache, invalidateWritten, objectName } from './lookup-cache.js';

const source: Source = { name: 'TEST', kind: SourceKind.SOURCE_KIND_MAIN, serial: 5n };
const name = objectName('TEST', 'mntner', 'a-mnt');
const signOfLife: WatchResponse = { changes: [], serial: 5n };
const change: WatchResponse = {
  serial: 6n,
  changes: [
    {
      serial: 6n,
      operation: Operation.OPERATION_UPDATE,
      object: {
        source: 'TEST',
        type: 'mntner',
        key: 'A-MNT',
        text: '',
        revision: 2,
        serial: 6n,
        contacts: [],
        tags: [],
      },
    },
  ],
};

const response: CachedResponse = {
  format: 'xml',
  content: Buffer.from('body'),
  coding: undefined,
  entityTag: '"x"',
  isPersonal: false,
};

/** A feed whose messages the test sends. */
function spokenFeed() {
  const feeds: { say(response: WatchResponse): void; break(kind?: FailureKind): void }[] = [];
  async function* watch(_request: unknown, options?: { signal?: AbortSignal }): AsyncGenerator<WatchResponse> {
    const said: (WatchResponse | Error)[] = [];
    let wake = () => {};
    const add = (item: WatchResponse | Error) => {
      said.push(item);
      wake();
    };
    options?.signal?.addEventListener('abort', () => add(new ServiceError('cancelled', 'stopped')));
    feeds.push({ say: add, break: (kind = 'unavailable') => add(new ServiceError(kind, 'away')) });
    for (;;) {
      const next = said.shift();
      if (next instanceof Error) throw next;
      if (next) yield next;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
  }
  return { feeds, watch };
}

function start(o: { silenceMs?: number; logger?: Logger } = {}) {
  const feed = spokenFeed();
  const cache = createLookupCache(100_000);
  const reader = { listSources: async () => ({ sources: [source] }) };
  const metrics = createMetrics('gateway');
  const reached: [string, bigint][] = [];
  const follower = createChangeFollower({
    reader,
    feed,
    cache,
    changeLog: { forget: () => {}, reached: (...reported) => void reached.push(reported) },
    logger: testLogger(),
    metrics,
    pauses: { firstMs: 1, maxMs: 1 },
    ...o,
  });
  const keep = () => {
    const pending = cache.begin('TEST', name);
    pending?.store('k', response);
    pending?.end();
  };
  return { feed, cache, metrics, follower, keep, reached };
}

it('allows caching after the first message of the feed, and removes changed objects', async () => {
  const { feed, cache, follower, keep, reached } = start();
  await follower.start();
  await expect.poll(() => feed.feeds.length).toBe(1);
  keep();
  expect(cache.get('k')).toBeUndefined();
  feed.feeds[0]?.say(signOfLife);
  await expect.poll(() => cache.begin('TEST', name) !== undefined).toBe(true);
  keep();
  expect(cache.get('k')).toBeDefined();
  feed.feeds[0]?.say(change);
  await expect.poll(() => cache.get('k')).toBe(undefined);
  expect(reached).toEqual([
    ['TEST', 5n],
    ['TEST', 6n],
  ]);
  await follower.stop();
});

it('knows the newest serial of the feed or of a write, until the feed breaks', async () => {
  const { feed, cache, follower } = start();
  await follower.start();
  await expect.poll(() => feed.feeds.length).toBe(1);
  expect(cache.newestSerial('test')).toBeUndefined();
  feed.feeds[0]?.say(change);
  await expect.poll(() => cache.newestSerial('test')).toBe(6n);
  const result = { outcome: WriteOutcome.WRITE_OUTCOME_CREATED, object: change.changes[0]!.object, messages: [] };
  invalidateWritten(cache, [{ ...result, serial: 9n }]);
  feed.feeds[0]?.say({ ...change, serial: 8n });
  await expect.poll(() => cache.newestSerial('test')).toBe(9n);
  feed.feeds[0]?.break();
  await expect.poll(() => cache.newestSerial('test')).toBeUndefined();
  await expect.poll(() => feed.feeds.length).toBe(2);
  // A restored registry has fewer changes.
  feed.feeds[1]?.say(signOfLife);
  await expect.poll(() => cache.newestSerial('test')).toBe(5n);
  await follower.stop();
});

it('empties the cache when the feed skips changes, and continues', async () => {
  const { feed, cache, follower, keep } = start();
  await follower.start();
  await expect.poll(() => feed.feeds.length).toBe(1);
  feed.feeds[0]?.say(signOfLife);
  await expect.poll(() => cache.begin('TEST', name) !== undefined).toBe(true);
  keep();
  const running = cache.begin('TEST', name);
  feed.feeds[0]?.say({ changes: [], serial: 20_006n, skipped: true });
  await expect.poll(() => cache.get('k')).toBe(undefined);
  running?.store('k', response);
  running?.end();
  expect(cache.get('k')).toBeUndefined();
  keep();
  expect(cache.get('k')).toBeDefined();
  await follower.stop();
});

it.each<[string, FailureKind]>([
  ['breaks', 'unavailable'],
  ['no longer has the next change', 'out-of-range'],
])('empties the cache when the feed %s, and opens the feed again', async (_what, kind) => {
  const { feed, cache, follower, keep } = start();
  await follower.start();
  await expect.poll(() => feed.feeds.length).toBe(1);
  feed.feeds[0]?.say(signOfLife);
  await expect.poll(() => cache.begin('TEST', name) !== undefined).toBe(true);
  keep();
  feed.feeds[0]?.break(kind);
  await expect.poll(() => feed.feeds.length).toBe(2);
  expect(cache.get('k')).toBeUndefined();
  expect(cache.begin('TEST', name)).toBeUndefined();
  feed.feeds[1]?.say(signOfLife);
  await expect.poll(() => cache.begin('TEST', name) !== undefined).toBe(true);
  await follower.stop();
  expect(cache.begin('TEST', name)).toBeUndefined();
});

it('warns of a feed that cannot be opened again, not of one that ends', async () => {
  const logger = testLogger();
  const warn = vi.spyOn(logger, 'warn');
  const info = vi.spyOn(logger, 'info');
  const { feed, follower } = start({ logger });
  await follower.start();
  await expect.poll(() => feed.feeds.length).toBe(1);
  feed.feeds[0]?.say(signOfLife);
  feed.feeds[0]?.break();
  await expect.poll(() => feed.feeds.length).toBe(2);
  expect(warn).not.toHaveBeenCalled();
  expect(info.mock.calls).toEqual([[{ reason: 'unavailable' }, 'change feed ended: opening it again']]);
  feed.feeds[1]?.break();
  await expect.poll(() => warn.mock.calls).toEqual([[{ reason: 'unavailable' }, 'change feed broken: no caching']]);
  await follower.stop();
});

it('treats a silent feed as broken', async () => {
  const { feed, cache, follower } = start({ silenceMs: 20 });
  await follower.start();
  await expect.poll(() => feed.feeds.length).toBe(1);
  feed.feeds[0]?.say(signOfLife);
  await expect.poll(() => feed.feeds.length > 1).toBe(true);
  await follower.stop();
  expect(cache.begin('TEST', name)).toBeUndefined();
});

it('shows by a metric whether it follows', async () => {
  const { feed, metrics, follower } = start();
  const sample = async () =>
    /^cadastre_change_feed_followed\{source="TEST".*\} (\d)$/m.exec(await metrics.metrics())?.[1];
  await follower.start();
  await expect.poll(() => feed.feeds.length).toBe(1);
  expect(await sample()).toBeUndefined();
  feed.feeds[0]!.say(signOfLife);
  await expect.poll(sample).toBe('1');
  feed.feeds[0]!.break();
  await expect.poll(sample).toBe('0');
  await follower.stop();
});
