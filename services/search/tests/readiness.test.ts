import { testLogger } from '@cadastre/service/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEmbeddedIndex } from '../src/embedded/embedded-index.js';
import type { SearchIndex } from '../src/index-port.js';
import { indexDirectory } from './index-directory.js';
import { createRegistry, type Registry } from './registry.js';
import { type Replica, startReplicaOf } from './replica.js';
import { collect, noRequest } from './searching.js';

let directory: Awaited<ReturnType<typeof indexDirectory>>;
let registry: Registry;
const stops: (() => Promise<void>)[] = [];

beforeEach(async () => {
  directory = await indexDirectory();
  registry = createRegistry(['TEST', 'OTHER-GRS']);
});

afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
  await directory.remove();
});

/** A replica with the index in the directory, one at a time. */
async function startReplica(index?: SearchIndex): Promise<Replica> {
  const settings = { CADASTRE_DATA_DIR: directory.path };
  const replica = await startReplicaOf(registry, settings, index);
  stops.push(replica.stop);
  return replica;
}

test('a replica is ready when the index of every source has what the registry had', async () => {
  for (let number = 0; number < 3; number++) registry.put(`mntner: M${number}-MNT\nsource: TEST\n`);
  const release = registry.holdExports();
  const replica = await startReplica();
  expect(await replica.ready()).toBe('503 not ready: complete');
  await expect(collect(replica.client.search({ ...noRequest, query: 'M1-MNT' }))).rejects.toMatchObject({
    kind: 'unavailable',
  });
  // Before the first index there is no lag in seconds, but there is one in serials.
  expect(await replica.metric('cadastre_search_index_lag_seconds')).toEqual({});
  expect(await replica.metric('cadastre_search_index_lag_serials')).toEqual({ TEST: 3, 'OTHER-GRS': 0 });
  const status = async () => (await replica.client.getIndexStatus({})).sources[0];
  await expect.poll(status).toMatchObject({ source: 'TEST', serial: 0n, behind: 3n, rebuilding: true });
  release();
  await expect.poll(replica.ready).toBe('200 ready');
  expect(await replica.metric('cadastre_search_index_lag_serials')).toEqual({ TEST: 0, 'OTHER-GRS': 0 });
});

test('a replica with an old index is ready when the index has caught up', async () => {
  registry.put('mntner: A-MNT\nsource: TEST\n');
  const first = await startReplica();
  await expect.poll(first.ready).toBe('200 ready');
  for (const stop of stops.splice(0)) await stop();
  registry.put('mntner: B-MNT\nsource: TEST\n');
  const caughtUp = Promise.withResolvers<void>();
  const index = createEmbeddedIndex({ directory: directory.path, logger: testLogger() });
  const apply: SearchIndex['apply'] = async (source, batch) => {
    await caughtUp.promise;
    await index.apply(source, batch);
  };
  const second = await startReplica({ ...index, apply });
  expect(await second.ready()).toBe('503 not ready: complete');
  caughtUp.resolve();
  await expect.poll(second.ready).toBe('200 ready');
});

test('a replica with an index is ready while the registry is unavailable', async () => {
  registry.put('mntner: A-MNT\nsource: TEST\n');
  const first = await startReplica();
  await expect.poll(first.ready).toBe('200 ready');
  for (const stop of stops.splice(0)) await stop();
  registry.goAway();
  const second = await startReplica();
  expect(await second.ready()).toBe('200 ready');
});

test('a rebuild shows its progress by metrics and by its stream', async () => {
  for (let number = 0; number < 700; number++) registry.put(`mntner: M${number}-MNT\nsource: TEST\n`);
  const replica = await startReplica();
  await expect.poll(replica.ready).toBe('200 ready');
  const release = registry.holdExports();
  await expect.poll(() => replica.client.rebuildIndex({ source: 'test' }).catch(() => undefined)).toBeDefined();
  const { sources } = await replica.client.getIndexStatus({});
  const { rebuild, rebuilding, behind } = sources[0]!;
  expect([rebuilding, behind, rebuild]).toEqual([
    true,
    0n,
    expect.objectContaining({ phase: 1, objects: 0n, expectedObjects: 700n, serial: 700n, failure: '' }),
  ]);
  registry.put('mntner: NEW-MNT\nsource: TEST\n');
  expect(await replica.metric('cadastre_search_index_rebuild_lag_serials')).toMatchObject({ TEST: 1 });
  expect(await replica.metric('cadastre_search_index_rebuild_failing')).toEqual({ TEST: 0, 'OTHER-GRS': 0 });
  const watched = collect(replica.client.watchRebuild({ source: 'TEST', id: rebuild!.id }, { deadlineMs: 60_000 }));
  release();
  const last = (await watched).at(-1)!.rebuild!;
  expect([last.phase, last.id, last.objects]).toEqual([4, rebuild!.id, 701n]);
  const late = collect(replica.client.watchRebuild({ source: 'TEST', id: '0' }));
  await expect(late).rejects.toMatchObject({ kind: 'not-found' });
});
