import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { createMetrics, inTransaction, openDatabase } from '@cadastre/service';
import { testDatabase, testLogger } from '@cadastre/service/testing';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { followMetrics } from '../src/follow/follow-metrics.js';
import { followJob } from '../src/follow/follow-source.js';
import { readMirrors, resetMirror, type StoredMirror } from '../src/follow/follow-store.js';
import { nrtm4Origin } from '../src/follow/nrtm4/origin.js';
import type { Origin } from '../src/follow/origin.js';
import type { Lease } from '../src/leases.js';
import { type Copy, createCopy } from './copy.fixture.js';
import {
  createPublication,
  type FileServer,
  keyPair,
  type Layout,
  layouts,
  type Publication,
  startFileServer,
} from './publisher.fixture.js';

const migrations = new URL('../migrations/', import.meta.url);
const source = 'EXAMPLE-GRS';

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
let server: FileServer;
let copy: Copy;
let publication: Publication;
let stop: () => Promise<void> = async () => {};
let metrics = createMetrics('mirror');
let [first, second, third] = [keyPair(), keyPair(), keyPair()];

beforeAll(async () => {
  database = await testDatabase(migrations);
  pool = openDatabase(database.url).createPool({ max: 4, applicationName: 'test', statementTimeoutMs: 60_000 });
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});
beforeEach(async () => {
  await pool.query('delete from mirror');
  server = await startFileServer();
  copy = createCopy();
  [first, second, third] = [keyPair(), keyPair(), keyPair()];
  publishing(layouts.ours);
});
afterEach(async () => {
  await stop();
  stop = async () => {};
  await server.close();
});

const route = (number: number, origin = 64500) =>
  `route:          192.0.2.${number}/32\norigin:         AS${origin}\nsource:         EXAMPLE\n`;
const routes = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => route(from + n));
const put = (object: string) => ({ action: 'add_modify', object }) as const;
const removal = (number: number, origin = 64500) =>
  ({ action: 'delete', objectClass: 'ROUTE', primaryKey: `192.0.2.${number}/32as${origin}` }) as const;

function publishing(layout: Layout): void {
  publication = createPublication(server.files, layout);
  publication.begin(routes(1, 20));
}

/** The numbers of the routes in the copy. */
const numbers = () =>
  [...copy.objects.keys()].map((name) => Number(/\.(\d+)\/32/.exec(name)![1])).sort((a, b) => a - b);
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => from + n);

const origin = (changes: Partial<Parameters<typeof nrtm4Origin>[0]> = {}): Origin => ({
  ...nrtm4Origin({
    url: server.url(publication.notificationPath),
    source: 'EXAMPLE',
    key: first.publicKey,
    reach: { ownNetwork: true },
    ...changes,
  }),
  everyMs: 20,
});

/** Follows in the background until the end of the test. */
async function follow(followed = origin()): Promise<void> {
  await stop();
  metrics = createMetrics('mirror');
  const stopping = new AbortController();
  const job = followJob({
    source,
    origin: followed,
    pool,
    objects: copy,
    now: () => new Date(),
    logger: testLogger(),
    metrics: followMetrics(metrics, () => new Date()),
  });
  const lease: Lease = {
    name: job.name,
    signal: stopping.signal,
    transaction: (fn) => inTransaction(pool, fn, { signal: stopping.signal }),
  };
  const running = job.run(lease).catch((error) => {
    if (!stopping.signal.aborted) throw error;
  });
  stop = async () => {
    stopping.abort();
    await running;
  };
}

const row = async (): Promise<StoredMirror | undefined> => (await readMirrors(pool, [source]))[0];

async function reached(version: number): Promise<void> {
  await expect.poll(async () => (await row())?.version, { interval: 20 }).toBe(version);
}

/** Waits until an update that began after now has ended without a fault. */
async function checkedAgain(): Promise<void> {
  const now = Date.now();
  await expect.poll(async () => ((await row())?.checked?.getTime() ?? 0) > now + 20, { interval: 20 }).toBe(true);
}

async function refusedBecause(reason: string): Promise<void> {
  await expect.poll(async () => (await row())?.error, { interval: 20 }).toContain(reason);
  expect((await row())!.fault).toBe('refused');
}

async function metric(name: string): Promise<unknown> {
  const values = (await metrics.getSingleMetric(name)!.get()).values;
  return Object.fromEntries(values.map(({ labels, value }) => [labels.kind ?? labels.source, value]));
}

test.each(Object.entries(layouts))(
  'a copy is loaded, follows deltas and goes to a new session: %s',
  async (_, layout) => {
    publishing(layout);
    await publication.notify(first.privateKey);
    await follow();
    await reached(1);
    expect(numbers()).toEqual(range(1, 20));

    publication.delta(put(route(21)), removal(1));
    publication.delta(put(route(22)), put(route(23)), removal(22));
    await publication.notify(first.privateKey);
    await reached(3);
    expect(numbers()).toEqual([...range(2, 21), 23]);
    expect(await row()).toMatchObject({ fault: null, staleSince: null, applied: { loads: 1, puts: 23, deletes: 2 } });

    publication.begin(routes(2, 24));
    await publication.notify(first.privateKey);
    await reached(1);
    expect(numbers()).toEqual(range(2, 24));
    expect(await row()).toMatchObject({ sessionId: publication.next.sessionId, applied: { loads: 2 } });
    // The row is committed just before the metric is set.
    const applied = { load: 2, put: 25, delete: 2 };
    await expect.poll(() => metric('cadastre_mirror_applied_total'), { interval: 20 }).toEqual(applied);
  },
);

test('a copy of some classes has only these, and other classes load it anew, whatever that deletes', async () => {
  const person = (name: string) => `person:         Alice\nnic-hdl:        ${name}\nsource:         EXAMPLE\n`;
  const set = 'route-set:      RS-EXAMPLE\nsource:         EXAMPLE\n';
  publication.begin([person('A1-EXAMPLE'), ...routes(1, 3), set, person('A2-EXAMPLE')]);
  await publication.notify(first.privateKey);
  await follow(origin({ classes: new Set(['route', 'route-set']) }));
  await reached(1);
  expect([...copy.objects.keys()].sort()).toEqual([
    ...range(1, 3).map((n) => `route 192.0.2.${n}/32as64500`),
    'route-set rs-example',
  ]);

  publication.delta(put(person('A3-EXAMPLE')), { action: 'delete', objectClass: 'person', primaryKey: 'A1-EXAMPLE' });
  publication.delta(put(person('A4-EXAMPLE')), put(route(4)), removal(1));
  await publication.notify(first.privateKey);
  await reached(3);
  expect(copy.calls).toEqual(['load', 'apply']);
  expect((await row())!.applied).toMatchObject({ puts: 5, deletes: 1, rejected: 0 });

  publication.snapshot([person('A4-EXAMPLE'), ...routes(2, 4), set]);
  await publication.notify(first.privateKey);
  await follow(origin({ classes: new Set(['route-set']) }));
  await expect.poll(() => [...copy.objects.keys()]).toEqual(['route-set rs-example']);
  await expect.poll(row).toMatchObject({ classes: ['route-set'], version: 3, unguarded: false, fault: null });
});

test('an unchanged notification costs one conditional request', async () => {
  await publication.notify(first.privateKey);
  await follow();
  await reached(1);
  await checkedAgain();
  const before = server.requests.length;
  await checkedAgain();
  expect(new Set(server.requests.slice(before))).toEqual(new Set([`${publication.notificationPath} 304`]));
  expect(copy.calls).toEqual(['load']);
});

test('a follower of another version takes the deltas after it, or the snapshot when they are gone', async () => {
  await publication.notify(first.privateKey);
  await follow();
  await reached(1);
  await stop();
  for (const number of [21, 22, 23]) publication.delta(put(route(number)));
  publication.snapshot(routes(1, 23));
  publication.delta(put(route(24)));
  await publication.notify(first.privateKey);
  await follow();
  await reached(5);
  expect(copy.calls).toEqual(['load', ...Array(4).fill('apply')]);
  await stop();
  publication.delta(put(route(25)));
  publication.snapshot(routes(1, 25));
  publication.delta(put(route(26)));
  await publication.notify(first.privateKey, { deltas: publication.next.deltas.slice(-1) });
  await follow();
  await reached(7);
  expect(copy.calls.slice(5)).toEqual(['load', 'apply']);
  expect(numbers()).toEqual(range(1, 26));
});

test('files are followed in a folder', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'cadastre-follow-'));
  try {
    publication.delta(put(route(21)));
    await publication.notify(first.privateKey);
    for (const [name, content] of server.files) {
      await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
      await writeFile(path.join(folder, name), content);
    }
    await follow(origin({ url: pathToFileURL(path.join(folder, publication.notificationPath)) }));
    await reached(2);
    expect(numbers()).toEqual(range(1, 21));
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('files that IRRd 4.5.4 has published are followed', async () => {
  const folder = new URL('irrd-publication/', import.meta.url);
  const key = await readFile(new URL('public-key.pem', folder), 'utf8');
  await follow(origin({ url: new URL('update-notification-file.jose', folder), source: 'TEST', key }));
  await reached(3);
  expect(copy.calls).toEqual(['load', 'apply', 'apply']);
  expect(await row()).toMatchObject({ fault: null, applied: { loads: 1, puts: 152, deletes: 5, rejected: 0 } });
});

test('a follower that dies between a step and its own row applies the step again', async () => {
  await publication.notify(first.privateKey);
  await follow();
  await reached(1);
  await stop();
  const before = await pool.query('select * from mirror');
  publication.delta(put(route(21)), removal(1));
  await publication.notify(first.privateKey);
  await follow();
  await reached(2);
  await stop();
  await pool.query('update mirror set state = $1, version = 1', [before.rows[0].state]);
  await follow();
  await reached(2);
  expect(numbers()).toEqual(range(2, 21));
  expect(copy.calls).toEqual(['load', 'apply', 'apply']);
});

/** The stored files, with the transactions that stored them. */
async function storedFiles(): Promise<ReadonlyMap<string, { readonly hash: string; readonly stored: string }>> {
  const { rows } = await pool.query('select name, hash, xmin::text as stored from mirror_file where source = $1', [
    source,
  ]);
  return new Map(rows.map(({ name, ...file }) => [name, file]));
}

test('a step stores the files that are new and removes those that are gone, and no others', async () => {
  for (const number of range(21, 60)) publication.delta(put(route(number)));
  await publication.notify(first.privateKey);
  await follow();
  await reached(41);
  await checkedAgain();
  const before = await storedFiles();
  expect([...before.keys()].sort()).toEqual(
    ['snapshot 1', ...range(2, 41).map((version) => `delta ${version}`)].sort(),
  );
  expect(JSON.stringify((await row())!.state)).not.toContain(publication.next.deltas[0]!.hash);
  publication.snapshot(routes(1, 60));
  publication.delta(put(route(61)));
  publication.delta(put(route(62)));
  await publication.notify(first.privateKey, { deltas: publication.next.deltas.slice(2) });
  await reached(43);
  await checkedAgain();
  const after = await storedFiles();
  const stored = range(4, 41).map((version) => `delta ${version}`);
  expect([...after.keys()].sort()).toEqual(['snapshot 41', 'delta 42', 'delta 43', ...stored].sort());
  for (const name of stored) expect(after.get(name)).toEqual(before.get(name));
});

test.each<[string, (() => Promise<unknown>) | undefined]>([
  ['', undefined],
  [', also by a follower of the release before, which kept the hashes with its state', asReleaseBefore],
])('a publisher that changes a file which it has published is refused%s', async (_, stored) => {
  publication.delta(put(route(21)));
  await publication.notify(first.privateKey);
  await follow();
  await reached(2);
  await stop();
  await stored?.();
  const [delta] = publication.next.deltas;
  const hash = '0'.repeat(64);
  publication.delta(put(route(22)));
  const [, third] = publication.next.deltas;
  await publication.notify(first.privateKey, { deltas: [{ ...delta!, hash }, third!] });
  await follow();
  await refusedBecause('The publisher rewrites history: delta 2 has another hash than before');
  await publication.notify(first.privateKey, { snapshot: { ...publication.next.snapshot, hash } });
  await refusedBecause('The publisher rewrites history: snapshot 1 has another hash than before');
  expect(numbers()).toEqual(range(1, 21));
  await publication.notify(first.privateKey);
  await reached(3);
  // In a new session the same versions are other files, and a reset removes all earlier state.
  publication.begin(routes(1, 23));
  publication.delta(put(route(24)));
  await publication.notify(first.privateKey);
  await reached(2);
  expect(numbers()).toEqual(range(1, 24));
  await publication.notify(first.privateKey, { deltas: [{ ...publication.next.deltas[0]!, hash }] });
  await refusedBecause('delta 2 has another hash than before');
  await stop();
  await resetMirror(pool, source);
  expect(await storedFiles()).toEqual(new Map());
});

/** Stores hashes like the previous release, and then migrates. */
async function asReleaseBefore(): Promise<void> {
  const known = Object.fromEntries([...(await storedFiles())].map(([name, { hash }]) => [name, hash]));
  await pool.query('update mirror set state = state || $1', [{ known }]);
  await pool.query('drop table mirror_file');
  await pool.query(await readFile(new URL('0004-files-of-mirrors.sql', migrations), 'utf8'));
  expect(await row()).toMatchObject({ state: expect.not.objectContaining({ known }) });
}

test('keys rotate: the announced one takes over, and the old one is dead', async () => {
  await publication.notify(first.privateKey);
  await follow();
  await reached(1);
  publication.delta(put(route(21)));
  await publication.notify(second.privateKey);
  await refusedBecause('not signed by a key that we know');
  expect(numbers()).toEqual(range(1, 20));
  await publication.notify(first.privateKey, { nextSigningKey: second.publicKey });
  await reached(2);
  publication.delta(put(route(22)));
  await publication.notify(second.privateKey);
  await reached(3);
  publication.delta(put(route(23)));
  await publication.notify(first.privateKey);
  await refusedBecause('not signed by a key that we know');
  expect(numbers()).toEqual(range(1, 22));
});

test('an operator resets a copy whose publisher lost its key: the configured key counts again', async () => {
  await publication.notify(first.privateKey);
  await follow();
  await reached(1);
  publication.begin(routes(1, 5));
  await publication.notify(third.privateKey);
  await refusedBecause('not signed by a key that we know');
  await follow(origin({ key: third.publicKey }));
  await refusedBecause('The origin lacks 15 of the 20 objects');
  expect(numbers()).toEqual(range(1, 20));
  await resetMirror(pool, source);
  await expect.poll(numbers, { interval: 20 }).toEqual(range(1, 5));
  await checkedAgain();
  expect(await row()).toMatchObject({ fault: null, unguarded: false });
});

test('after a rotation that was missed, the copy goes on with the key that an operator has put into the file', async () => {
  await publication.notify(first.privateKey);
  await follow();
  await reached(1);
  publication.delta(put(route(21)));
  await publication.notify(third.privateKey);
  await refusedBecause('not signed by a key that we know');
  await resetMirror(pool, source);
  await refusedBecause('not signed by a key that we know');
  expect(numbers()).toEqual(range(1, 20));
  await follow(origin({ key: third.publicKey }));
  await reached(2);
  expect(numbers()).toEqual(range(1, 21));
  await stop();
  // Without a reset nothing is loaded again.
  publication.delta(put(route(22)));
  await publication.notify(second.privateKey);
  const { calls } = copy;
  const before = calls.length;
  await follow(origin({ key: second.publicKey }));
  await reached(3);
  expect(calls.slice(before)).toEqual(['apply']);
  publication.delta(put(route(23)));
  await publication.notify(third.privateKey);
  await refusedBecause('not signed by a key that we know');
});

test('a reset allows much, but no copy becomes empty', async () => {
  await publication.notify(first.privateKey);
  await follow();
  await reached(1);
  publication.begin([]);
  await publication.notify(first.privateKey);
  await refusedBecause('The origin has no object, the copy has 20');
  await resetMirror(pool, source);
  await expect.poll(async () => (await row())?.resets, { interval: 20 }).toBe(1);
  await expect.poll(() => copy.calls.length, { interval: 20 }).toBeGreaterThan(3);
  expect(numbers()).toHaveLength(20);
});

test('a publication without objects is a good one as long as the copy has none', async () => {
  publication.begin([]);
  await publication.notify(first.privateKey);
  await follow();
  await reached(1);
  publication.delta(put(route(1)));
  await publication.notify(first.privateKey);
  await reached(2);
  expect(numbers()).toEqual([1]);
});

test('objects that cannot be read stop nothing', async () => {
  publication.begin([...routes(1, 20), 'dictionary: A\n', `${route(21)}\n${route(22)}`, 'text']);
  publication.delta(put('dictionary: A\n'), put(route(23)));
  await publication.notify(first.privateKey);
  await follow();
  await reached(2);
  expect(numbers()).toEqual([...range(1, 20), 23]);
  expect((await row())!.applied.rejected).toBe(4);
});

test('a whole load that cannot read an object and lacks a tenth of them is sent once', async () => {
  await publication.notify(first.privateKey);
  await follow();
  await reached(1);
  publication.begin([...routes(3, 20), 'dictionary: A\n']);
  await publication.notify(first.privateKey);
  await expect.poll(numbers, { interval: 20 }).toEqual(range(3, 20));
  await checkedAgain();
  expect(copy.calls).toEqual(['load', 'load']);
  expect((await row())!.applied).toEqual({ loads: 2, puts: 20, deletes: 2, rejected: 1 });
});

test('deltas that are too large for one transaction are replaced by the snapshot, once there is one', async () => {
  await publication.notify(first.privateKey);
  await follow();
  await reached(1);
  copy.maxChanges = 2;
  publication.delta(put(route(21)), put(route(22)), put(route(23)));
  await publication.notify(first.privateKey);
  await refusedBecause('Delta 2 is too large');
  publication.snapshot(routes(1, 23));
  publication.delta(put(route(24)));
  await publication.notify(first.privateKey);
  await reached(3);
  expect(numbers()).toEqual(range(1, 24));
});

const flipped = (bytes: Buffer, at: number) => Buffer.from(bytes).fill(bytes.at(at)! ^ 1, at, at + 1);
const newest = () => publication.path(publication.next.deltas.at(-1)!);
const change = (name: string, edit: (bytes: Buffer) => Buffer) => server.files.set(name, edit(server.files.get(name)!));

test.each<[string, string, () => unknown]>([
  ['a byte of a delta flipped', 'SHA-256', () => change(newest(), (bytes) => flipped(bytes, 30))],
  ['a delta cut off', 'SHA-256', () => change(newest(), (bytes) => bytes.subarray(0, -1))],
  [
    'a byte of the payload flipped',
    'not signed',
    () => change(publication.notificationPath, (bytes) => flipped(bytes, 60)),
  ],
  [
    'a byte of the signature flipped',
    'not signed',
    () => change(publication.notificationPath, (bytes) => flipped(bytes, bytes.length - 9)),
  ],
  [
    'no signature',
    'not signed',
    () => change(publication.notificationPath, (bytes) => Buffer.from(bytes.toString().replace(/\.[^.]*$/, '.'))),
  ],
  ['another source', 'source OTHER', () => publication.notify(first.privateKey, { source: 'OTHER' })],
  [
    'an older session',
    'older',
    () => publication.notify(first.privateKey, { sessionId: crypto.randomUUID(), timestamp: new Date(0) }),
  ],
  ['a bad next key', 'next_signing_key', () => publication.notify(first.privateKey, { nextSigningKey: 'text' })],
  [
    'a gap',
    'gap',
    () =>
      publication.notify(first.privateKey, {
        version: 4,
        deltas: [2, 4].map((version) => ({ ...publication.next.deltas[0]!, version })),
      }),
  ],
  ['a delta of another session', 'session_id', () => renamed('delta', { sessionId: crypto.randomUUID() })],
  ['a delta of another source', 'source', () => renamed('delta', { source: 'OTHER' })],
  ['a delta without changes', 'has no change', () => withDelta()],
  ['a delta with another record', 'neither', () => withDelta({ action: 'purge' } as never)],
  ['a file outside the folder', 'outside', () => withUrl('../OTHER/file.json.gz')],
  ['a file of another host', 'outside', () => withUrl('https://example.net/file.json.gz')],
  ['a file outside the folder, encoded', 'outside', () => withUrl('..%2fOTHER/file.json.gz')],
])('refused and not applied: %s', async (_, reason, spoil) => {
  await publication.notify(first.privateKey);
  await follow();
  await reached(1);
  await stop();
  publication.delta(put(route(21)));
  await publication.notify(first.privateKey);
  const good = new Map(server.files);
  await spoil();
  await follow();
  await refusedBecause(reason);
  expect(numbers()).toEqual(range(1, 20));
  expect((await row())!).toMatchObject({ version: 1, applied: { loads: 1, puts: 20 } });
  expect(await metric('cadastre_mirror_refused')).toEqual({ [source]: 1 });
  // It continues by itself when the publisher is valid again.
  for (const [name, content] of good) server.files.set(name, content);
  await publication.notify(
    first.privateKey,
    JSON.parse(JSON.stringify({ deltas: [...publication.next.deltas].slice(0, 1) })),
  );
  await expect.poll(async () => (await row())?.fault, { interval: 20 }).toBeNull();
  expect(numbers()).toEqual(range(1, 21));
  // The row is committed just before the metric is set.
  await expect.poll(() => metric('cadastre_mirror_refused'), { interval: 20 }).toEqual({ [source]: 0 });
});

/** Publishes a delta with another header. */
async function renamed(_kind: 'delta', header: { sessionId?: string; source?: string }): Promise<void> {
  const other = createPublication(server.files, layouts.ours);
  other.next = { ...publication.next, ...header, version: 1, deltas: [] };
  const file = createPublication(server.files, layouts.ours, header.source ?? 'EXAMPLE');
  file.next = other.next;
  file.delta(put(route(66)));
  const [reference] = file.next.deltas;
  server.files.set(publication.path(reference!), server.files.get(file.path(reference!))!);
  await publication.notify(first.privateKey, { deltas: [reference!] });
}

async function withDelta(...changes: Parameters<Publication['delta']>): Promise<void> {
  const other = createPublication(server.files);
  other.next = { ...publication.next, version: 1, deltas: [] };
  other.delta(...changes);
  await publication.notify(first.privateKey, { deltas: other.next.deltas });
}

async function withUrl(url: string): Promise<void> {
  await publication.notify(first.privateKey, { deltas: [{ ...publication.next.deltas[0]!, url }] });
}

test('history that is rewritten, or older than ours, is refused', async () => {
  publication.delta(put(route(21)));
  await publication.notify(first.privateKey);
  await follow();
  await reached(2);
  const [delta] = publication.next.deltas;
  await publication.notify(first.privateKey, { deltas: [{ ...delta!, hash: 'a'.repeat(64) }] });
  await refusedBecause('rewrites history');
  await publication.notify(first.privateKey, { version: 1, deltas: [] });
  await refusedBecause('older than our 2');
});

test('snapshots are checked as deltas are, and a bomb is refused', async () => {
  await publication.notify(first.privateKey);
  const name = publication.path(publication.next.snapshot);
  const good = server.files.get(name)!;
  server.files.set(name, flipped(good, 40));
  await follow();
  await refusedBecause('SHA-256');
  const bomb = gzipSync(Buffer.alloc(64 << 20, '\u001e'));
  server.files.set(name, bomb);
  const hash = createHash('sha256').update(bomb).digest('hex');
  await publication.notify(first.privateKey, { snapshot: { ...publication.next.snapshot, hash } });
  await refusedBecause('record');
  expect(copy.objects.size).toBe(0);
  server.files.set(name, good);
  await publication.notify(first.privateKey);
  await reached(1);
});

test('what is good of several deltas stays, and the rest follows', async () => {
  await publication.notify(first.privateKey);
  await follow();
  await reached(1);
  await stop();
  publication.delta(put(route(21)));
  publication.delta(put(route(22)));
  await publication.notify(first.privateKey);
  const content = server.files.get(newest())!;
  server.files.delete(newest());
  await follow();
  await reached(2);
  await expect.poll(async () => (await row())?.fault, { interval: 20 }).toBe('transient');
  expect(numbers()).toEqual(range(1, 21));
  server.files.set(newest(), content);
  await reached(3);
  expect(numbers()).toEqual(range(1, 22));
});

test('a delta that stays away is replaced by the snapshot that has it', async () => {
  await publication.notify(first.privateKey);
  await follow();
  await reached(1);
  await stop();
  publication.delta(put(route(21)));
  const missing = newest();
  publication.snapshot(routes(1, 21));
  publication.delta(put(route(22)));
  await publication.notify(first.privateKey);
  server.files.delete(missing);
  await follow();
  await reached(3);
  expect(server.requests.filter((request) => request === `${missing} 404`)).toHaveLength(4);
  expect(copy.calls).toEqual(['load', 'load', 'apply']);
  expect(numbers()).toEqual(range(1, 22));
});

test('a publisher that is away is a transient fault, and one that is silent for a day makes the copy stale', async () => {
  await follow();
  await expect.poll(async () => (await row())?.fault, { interval: 20 }).toBe('transient');
  expect(await row()).toMatchObject({ error: expect.stringContaining('status 404'), checked: null });
  const timestamp = new Date(Date.now() - 25 * 3_600_000);
  await publication.notify(first.privateKey, { timestamp });
  await reached(1);
  await checkedAgain();
  expect((await row())!.staleSince).toEqual(new Date(timestamp.getTime() + 24 * 3_600_000));
  expect((await row())!.fault).toBeNull();
});

test.each([
  ['an address of an inner network', () => server.url(publication.notificationPath)],
  [
    'a name of an inner network',
    () => new URL(server.url(publication.notificationPath).href.replace('127.0.0.1', 'localhost')),
  ],
])('%s is refused unless it is allowed', async (_, url) => {
  await publication.notify(first.privateKey);
  await follow(origin({ url: url(), reach: { ownNetwork: false } }));
  await refusedBecause('no public address');
  expect(server.requests).toEqual([]);
});

test('redirects are followed, but not away from HTTP', async () => {
  await publication.notify(first.privateKey);
  const path = '/elsewhere/update-notification-file.jose';
  server.redirects.set(path, publication.notificationPath);
  for (const { url } of [publication.next.snapshot])
    server.redirects.set(`/elsewhere/${url}`, publication.path({ url } as never));
  await follow(origin({ url: server.url(path) }));
  await reached(1);
  server.redirects.set(path, 'file:///etc/hostname');
  await refusedBecause('redirects to what is not https');
});
