import { View } from '@cadastre/proto/registry';
import { createMetrics, inTransaction, openDatabase } from '@cadastre/service';
import { testDatabase, testLogger } from '@cadastre/service/testing';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { followMetrics } from '../../../services/mirror/src/follow/follow-metrics.js';
import { followJob } from '../../../services/mirror/src/follow/follow-source.js';
import { readMirrors } from '../../../services/mirror/src/follow/follow-store.js';
import { nrtm4Origin } from '../../../services/mirror/src/follow/nrtm4/origin.js';
import type { Lease } from '../../../services/mirror/src/leases.js';
import {
  createPublication,
  type FileServer,
  keyPair,
  type Publication,
  startFileServer,
} from '../../../services/mirror/tests/publisher.fixture.js';
import { loaderOf, mirrorOf, readerOf, useContext } from '../../../services/objects/tests/test-context.js';

// A copy in the real objects service follows a publisher; the follower dies at the worst moments.
const source = 'EXAMPLE-GRS';
const objects = useContext();

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
let server: FileServer;
let publication: Publication;
let stop: () => Promise<void> = async () => {};
const { privateKey, publicKey } = keyPair();

beforeAll(async () => {
  database = await testDatabase(new URL('../../../services/mirror/migrations/', import.meta.url));
  pool = openDatabase(database.url).createPool({ max: 4, applicationName: 'test', statementTimeoutMs: 60_000 });
  server = await startFileServer();
  publication = createPublication(server.files);
});
afterEach(() => stop());
afterAll(async () => {
  await server?.close();
  await pool?.end();
  await database?.drop();
});

const route = (number: number, origin = 64500) =>
  `route:          192.0.2.${number}/32\norigin:         AS${origin}\nsource:         EXAMPLE\n`;
const routes = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => route(from + n));
const put = (object: string) => ({ action: 'add_modify', object }) as const;
const removal = (number: number) =>
  ({ action: 'delete', objectClass: 'route', primaryKey: `192.0.2.${number}/32AS64500` }) as const;
const stored = (texts: readonly string[]) => texts.map((text) => text.replace(/EXAMPLE\n$/, `${source}\n`)).sort();

/** Texts of the copy, sorted. */
async function texts(): Promise<string[]> {
  const all: string[] = [];
  const pages = readerOf(objects.context).exportObjects({ source, types: [], view: View.VIEW_COMPLETE });
  for await (const page of pages) for (const { text } of page.objects) all.push(text);
  return all.sort();
}

async function serial(): Promise<bigint> {
  const { sources } = await readerOf(objects.context).listSources({});
  return sources.find(({ name }) => name === source)!.serial;
}

/** The process dies in the n-th transaction from now on: after its calls to other services, before its own row. */
function leaseThatDies(signal: AbortSignal, transactions: number): Lease {
  let left = transactions;
  return {
    name: 'follow',
    signal,
    transaction(fn) {
      if (--left < 0) throw new Error('killed');
      return inTransaction(pool, fn, { signal });
    },
  };
}

/** Follows until the process dies, or until the test ends. */
function follow(transactions = Number.POSITIVE_INFINITY): Promise<unknown> {
  const stopping = new AbortController();
  const metrics = followMetrics(createMetrics('mirror'), () => new Date());
  const url = server.url(publication.notificationPath);
  const origin = nrtm4Origin({ url, source: 'EXAMPLE', key: publicKey, reach: { ownNetwork: true } });
  const job = followJob({
    source,
    origin: { ...origin, everyMs: 20 },
    pool,
    objects: { loader: loaderOf(objects.context), mirrorWriter: mirrorOf(objects.context) },
    now: () => new Date(),
    logger: testLogger(),
    metrics,
  });
  const running = job.run(leaseThatDies(stopping.signal, transactions)).catch((error) => error);
  stop = async () => {
    stopping.abort();
    await running;
  };
  return running;
}

const reached = (version: number) =>
  expect.poll(async () => (await readMirrors(pool, [source]))[0]?.version).toBe(version);

/** The job opens its row, opens it again for the update, and then stores its progress. */
const beforeProgress = 2;

test('a copy is filled, follows deltas, and goes to a new session in one step', async () => {
  publication.begin([...routes(1, 40), 'dictionary:     RPSL\nsource:         EXAMPLE\n']);
  publication.delta(put(route(41)), removal(1), put(route(2).replace('\nsource', '\ndescr:          new\nsource')));
  await publication.notify(privateKey);
  void follow();
  await reached(2);
  const second = route(2).replace('\nsource', '\ndescr:          new\nsource');
  expect(await texts()).toEqual(stored([second, ...routes(3, 41)]));
  publication.begin([second, ...routes(4, 42)]);
  await publication.notify(privateKey);
  await reached(1);
  expect(await texts()).toEqual(stored([second, ...routes(4, 42)]));
  await stop();
});

test('a follower that dies before it stores its progress loads and applies again, which changes nothing', async () => {
  publication.begin(routes(1, 40));
  await publication.notify(privateKey);
  expect(await follow(beforeProgress)).toEqual(new Error('killed'));
  const afterLoad = await serial();
  expect(await texts()).toEqual(stored(routes(1, 40)));
  void follow();
  await expect.poll(async () => (await readMirrors(pool, [source]))[0]?.sessionId).toBe(publication.next.sessionId);
  expect(await serial()).toBe(afterLoad);
  await stop();

  publication.delta(put(route(41)), removal(1), put(route(1)), removal(2));
  await publication.notify(privateKey);
  expect(await follow(beforeProgress)).toEqual(new Error('killed'));
  const afterDelta = await serial();
  expect(afterDelta).toBeGreaterThan(afterLoad);
  void follow();
  await reached(2);
  expect(await texts()).toEqual(stored([route(1), ...routes(3, 41)]));
  expect(await serial()).toBe(afterDelta);
});

test('a delta whose end is wrong changes nothing, and neither does such a snapshot', async () => {
  const before = await serial();
  publication.delta(...routes(50, 90).map(put), { action: 'purge' } as never);
  await publication.notify(privateKey);
  void follow();
  const error = async () => (await readMirrors(pool, [source]))[0]?.error ?? '';
  await expect.poll(error).toContain('neither add_modify');
  publication.begin(routes(50, 90));
  const wrong = { nrtm_version: 4 } as unknown as string;
  publication.snapshot([...routes(1, 40), wrong]);
  await publication.notify(privateKey);
  await expect.poll(error).toContain('has no object');
  expect(await serial()).toBe(before);
});

test('a snapshot that lacks most objects is refused', async () => {
  publication.begin(routes(1, 5));
  await publication.notify(privateKey);
  void follow();
  const error = async () => (await readMirrors(pool, [source]))[0]?.error ?? '';
  await expect.poll(error).toBe('The origin lacks 36 of the 40 objects of the copy');
  expect(await texts()).toHaveLength(40);
});
