import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { View } from '@cadastre/proto/registry';
import { createMetrics, inTransaction, openDatabase } from '@cadastre/service';
import { testDatabase, testLogger } from '@cadastre/service/testing';
import type { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FileStore } from '../../../services/mirror/src/files/file-store.js';
import { folderStore } from '../../../services/mirror/src/files/folder.js';
import type { Lease } from '../../../services/mirror/src/leases.js';
import { wholeSource } from '../../../services/mirror/src/public-source.js';
import { publicText } from '../../../services/mirror/src/publish/public-export.js';
import { publishMetrics } from '../../../services/mirror/src/publish/publish-metrics.js';
import { createPublisher, type Publisher } from '../../../services/mirror/src/publish/publisher.js';
import { createFollower, type Follower } from '../../../services/mirror/tests/follower.fixture.js';
import { keysOf, newKey } from '../../../services/mirror/tests/publishing.fixture.js';
import { feedOf, put, readerOf, remove, useContext } from '../../../services/objects/tests/test-context.js';

// The real objects service is published while others write.
const source = 'TEST';
const objects = useContext();
const keys = keysOf(newKey());
let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
let directory: string;
let store: FileStore;
let lease: Lease;
let publisher: Publisher;
let follower: Follower;
let now = new Date('2026-01-01T00:00:00Z');

beforeAll(async () => {
  database = await testDatabase(new URL('../../../services/mirror/migrations/', import.meta.url));
  pool = openDatabase(database.url).createPool({ max: 4, applicationName: 'test', statementTimeoutMs: 60_000 });
  directory = await mkdtemp(path.join(tmpdir(), 'cadastre-publish-'));
  store = folderStore(directory);
  lease = { name: source, signal: new AbortController().signal, transaction: (fn) => inTransaction(pool, fn) };
  publisher = createPublisher({
    source: wholeSource(source),
    pool,
    store,
    maxBytes: 1_000_000_000,
    objects: { reader: readerOf(objects.context), feed: feedOf(objects.context) },
    keys: () => keys,
    now: () => now,
    logger: testLogger(),
    metrics: publishMetrics(createMetrics('mirror'), () => now),
  });
  follower = createFollower(store, source, keys.publicKey);
});

afterAll(async () => {
  await pool?.end();
  await database?.drop();
  await rm(directory, { recursive: true, force: true });
});

const route = (number: number, text: number) =>
  `route:          192.0.2.${number}/32\ndescr:          Text ${text}\norigin:         AS64500\nmember-of:      RS-${text}\nmnt-by:         EXAMPLE-MNT\nsource:         TEST\n`;
const role = (abuseMailbox: boolean) =>
  `role:           Operations\naddress:        Example\ne-mail:         ops@example.net\n${abuseMailbox ? 'abuse-mailbox:  abuse@example.net\n' : ''}nic-hdl:        OPS1-TEST\nmnt-by:         EXAMPLE-MNT\nsource:         TEST\n`;

/** What followers should have of the current objects. */
async function expected(): Promise<string[]> {
  const all: string[] = [];
  const pages = readerOf(objects.context).exportObjects({ source, types: [], view: View.VIEW_COMPLETE });
  for await (const page of pages)
    for (const { text } of page.objects) all.push(publicText(text, wholeSource(source)) ?? '');
  return all.filter((text) => text !== '').sort();
}

/** Writes and deletes its own routes, repeatedly, until the signal is aborted. */
async function write(first: number, signal: AbortSignal): Promise<number> {
  const existing = new Set<number>();
  let count = 0;
  for (; !signal.aborted; count++) {
    const number = first + Math.floor(Math.random() * 8);
    if (existing.has(number) && Math.random() < 0.5) {
      await remove(objects.context, 'route', `192.0.2.${number}/32as64500`);
      existing.delete(number);
    } else {
      await put(objects.context, route(number, count));
      existing.add(number);
    }
  }
  return count;
}

test('a strict follower has every state, while others write', async () => {
  await put(objects.context, route(250, 0));
  await publisher.round(lease);
  await follower.update();
  expect(follower.objects()).toEqual(await expected());
  const writing = new AbortController();
  const writers = [0, 10, 20].map((first) => write(first, writing.signal));
  for (let round = 0; round < 12; round++) {
    now = new Date(now.getTime() + 60_000);
    await publisher.round(lease);
    await follower.update();
    if (round % 4 === 3) {
      now = new Date(now.getTime() + 24 * 60 * 60_000);
      const snapshots = publisher.snapshot(lease);
      await publisher.round(lease);
      await snapshots;
      await publisher.round(lease);
      const late = createFollower(store, source, keys.publicKey);
      await late.update();
      await follower.update();
      expect(late.objects()).toEqual(follower.objects());
    }
  }
  writing.abort();
  const counts = await Promise.all(writers);
  expect(Math.min(...counts)).toBeGreaterThan(0);
  await publisher.round(lease);
  const { notification } = await follower.update();
  expect(follower.objects()).toEqual(await expected());
  expect(notification.snapshot.version).toBeGreaterThan(1);
});

test('a role without abuse-mailbox is for nobody, and its past tells whether followers had it', async () => {
  for (const [abuseMailbox, count] of [
    [false, 0],
    [false, 0],
    [true, 1],
    [false, 0],
    [false, 0],
  ] as const) {
    await put(objects.context, role(abuseMailbox));
    await publisher.round(lease);
    await follower.update();
    expect(follower.objects().filter((text) => text.startsWith('role:'))).toHaveLength(count);
  }
  await remove(objects.context, 'role', 'ops1-test');
  await publisher.round(lease);
  expect((await follower.update()).did).toBe('nothing');
  expect(follower.objects()).toEqual(await expected());
});
