import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { followKinds, presets } from '@cadastre/nrtm';
import { MirrorServiceService, MirrorState, OriginKind } from '@cadastre/proto/mirror';
import { createMetrics, openDatabase, type Service } from '@cadastre/service';
import { inMemoryClient, testDatabase, testLogger } from '@cadastre/service/testing';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { followMetrics } from '../src/follow/follow-metrics.js';
import { followJob } from '../src/follow/follow-source.js';
import { MirrorFault, type Origin } from '../src/follow/origin.js';
import { type Origins, readOriginsFile } from '../src/follow/read-origins.js';
import { leasedJobs } from '../src/leases.js';
import { listMirrors, resetMirror } from '../src/rpc/mirrors.js';
import { createCopy } from './copy.fixture.js';
import { keyPair } from './publisher.fixture.js';

const logger = testLogger();
const source = 'EXAMPLE-GRS';
const sessionId = '43ef4645-8dd4-4352-878e-390d7acc11e4';

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
let folder: string;
const replicas: Service[] = [];

beforeAll(async () => {
  database = await testDatabase(new URL('../migrations/', import.meta.url));
  // Without `locks`: the server ends no transaction when the machine stops for two seconds.
  pool = openDatabase(database.url).createPool({ max: 8, applicationName: 'test', statementTimeoutMs: 60_000 });
  folder = await mkdtemp(path.join(tmpdir(), 'cadastre-origins-'));
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  await pool.query('delete from mirror');
});
afterEach(async () => {
  await Promise.all(replicas.splice(0).map((replica) => replica.stop()));
});

/** An origin whose updates the test defines. */
function originOf(update: Origin['update']): Origin {
  const address = 'https://example.net/update-notification-file.jose';
  const about = { originSource: 'EXAMPLE', ownNetwork: false, classes: undefined, warnings: [] };
  return { kind: 'nrtm4', address, ...about, everyMs: 10, update };
}

async function startReplica(origin: Origin): Promise<Service> {
  const metrics = createMetrics('mirror');
  const now = () => new Date();
  const objects = createCopy();
  const job = followJob({ source, origin, pool, objects, now, logger, metrics: followMetrics(metrics, now) });
  const replica = leasedJobs({ pool, jobs: [job], logger, metrics, times: { lastsMs: 60_000, beatMs: 50 } });
  await replica.start();
  replicas.push(replica);
  return replica;
}

function client(origins: Origins) {
  const served = { pool, origins, logger };
  return inMemoryClient(MirrorServiceService, { listMirrors: listMirrors(served), resetMirror: resetMirror(served) });
}

const listed = async (origins: Origins) => (await client(origins).listMirrors({})).mirrors[0]!;

test('of two replicas one follows, and the other goes on where it was', async () => {
  const updates: string[] = [];
  let running = 0;
  const follower = (name: string) =>
    originOf(async (state, { save }) => {
      running++;
      const { version = 0 } = (state ?? {}) as { version?: number };
      try {
        await save({ state: { version: version + 1 }, version: version + 1 });
        updates.push(`${name} ${version}${running > 1 ? ' at the same time' : ''}`);
      } finally {
        running--;
      }
      return {};
    });
  const first = await startReplica(follower('first'));
  await expect.poll(() => updates.length).toBeGreaterThan(2);
  await startReplica(follower('second'));
  const before = updates.length;
  await expect.poll(() => updates.length).toBeGreaterThan(before + 10);
  expect(updates.every((update) => update.startsWith('first'))).toBe(true);
  replicas.shift();
  await first.stop();
  await expect.poll(() => updates.some((update) => update.startsWith('second'))).toBe(true);
  expect(updates.slice(0, 50)).toEqual(updates.slice(0, 50).map((update, n) => `${update.split(' ')[0]} ${n}`));
});

test('operators see the state of a copy: before, during and after faults', async () => {
  let fault: MirrorFault | undefined;
  const origin = originOf(async (_, { save }) => {
    if (fault) throw fault;
    const applied = { loads: 1, puts: 20, deletes: 2, rejected: 1 };
    await save({ state: {}, sessionId, version: 7, applied });
    return { publishedAt: new Date() };
  });
  const origins: Origins = new Map([[source, origin]]);
  expect(await listed(origins)).toMatchObject({
    source,
    kind: OriginKind.ORIGIN_KIND_NRTM4,
    origin: origin.address,
    originSource: 'EXAMPLE',
    state: MirrorState.MIRROR_STATE_LOADING,
    sessionId: '',
    version: undefined,
    checkedAt: undefined,
    error: '',
  });
  await startReplica(origin);
  const current = { state: MirrorState.MIRROR_STATE_CURRENT, sessionId, version: 7n, error: '', staleSince: undefined };
  await expect.poll(() => listed(origins)).toMatchObject(current);
  fault = new MirrorFault('transient', 'The server is away');
  const stale = { state: MirrorState.MIRROR_STATE_STALE, version: 7n, error: 'The server is away' };
  await expect.poll(() => listed(origins)).toMatchObject(stale);
  const { staleSince, failedAt } = await listed(origins);
  expect(staleSince!.getTime()).toBeLessThanOrEqual(failedAt!.getTime());
  fault = new MirrorFault('refused', 'The hash is wrong');
  const refused = { state: MirrorState.MIRROR_STATE_REFUSED, error: 'The hash is wrong', staleSince };
  await expect.poll(() => listed(origins)).toMatchObject(refused);
  fault = undefined;
  await expect.poll(() => listed(origins)).toMatchObject(current);
  const { counts } = await listed(origins);
  expect(counts!.puts).toBe(20n * counts!.loads);
  // An update stores its progress first, and then that the copy is current.
  await expect
    .poll(async () => {
      const { checkedAt, changedAt } = await listed(origins);
      return changedAt!.getTime() <= checkedAt!.getTime();
    })
    .toBe(true);
});

test('any other error of an origin is a transient fault', async () => {
  const origin = originOf(async () => {
    throw new TypeError('no property of undefined');
  });
  await startReplica(origin);
  await expect.poll(() => listed(new Map([[source, origin]]))).toMatchObject({ error: 'no property of undefined' });
});

test('a reset makes the next update begin anew, and an update that is running cannot store its progress', async () => {
  const states: unknown[] = [];
  const { promise: isReset, resolve: goOn } = Promise.withResolvers<void>();
  const origin = originOf(async (state, { save }) => {
    states.push(state);
    if (states.length === 2) await isReset;
    await save({ state: { number: states.length }, version: states.length });
    return {};
  });
  const origins: Origins = new Map([[source, origin]]);
  await startReplica(origin);
  await expect.poll(() => states.length).toBe(2);
  await client(origins).resetMirror({ source: source.toLowerCase() });
  goOn();
  await expect.poll(() => states.length).toBeGreaterThan(3);
  expect(states.slice(0, 4)).toEqual([undefined, { number: 1 }, undefined, { number: 3 }]);
  await expect(client(origins).resetMirror({ source: 'OTHER-GRS' })).rejects.toThrow('follows no origin');
});

test('a copy that gets another origin begins anew', async () => {
  const states: unknown[] = [];
  const remembering = originOf(async (state, { save }) => {
    states.push(state);
    await save({ state: { a: 1 } });
    return {};
  });
  const first = await startReplica(remembering);
  await expect.poll(() => states.length).toBeGreaterThan(1);
  replicas.shift();
  await first.stop();
  states.length = 0;
  await startReplica({ ...remembering, address: 'https://example.org/update-notification-file.jose' });
  await expect.poll(() => states.length).toBeGreaterThan(1);
  expect(states.slice(0, 2)).toEqual([undefined, { a: 1 }]);
});

test('other classes of objects need a whole load, which may delete what it likes', async () => {
  const states: unknown[] = [];
  const remembering = originOf(async (state, { save }) => {
    states.push(state);
    await save({ state: { a: 1 } });
    return {};
  });
  const first = await startReplica(remembering);
  await expect.poll(() => states.length).toBeGreaterThan(1);
  replicas.shift();
  await first.stop();
  states.length = 0;
  const routes = { ...remembering, classes: new Set(['route6', 'route'] as const), warnings: ['Files come by ftp'] };
  await startReplica(routes);
  await expect.poll(() => states.length).toBeGreaterThan(1);
  expect(states.slice(0, 2)).toEqual([undefined, { a: 1 }]);
  // No step was a whole load.
  const { rows } = await pool.query('select classes, unguarded from mirror');
  expect(rows).toEqual([{ classes: ['route', 'route6'], unguarded: true }]);
  const shown = { classes: ['route', 'route6'], warnings: ['Files come by ftp'] };
  expect(await listed(new Map([[source, routes]]))).toMatchObject(shown);
});

const { publicKey, privateKey } = keyPair();
const nrtm4 = {
  url: 'https://example.net/nrtmv4/EXAMPLE/update-notification-file.jose',
  source: 'EXAMPLE',
  key: publicKey,
};

async function read(content: unknown): Promise<Origins> {
  const file = path.join(folder, 'origins.json');
  await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
  return readOriginsFile(file, ['example-grs', 'OTHER-GRS']);
}

test('the file of origins names an origin for each copy', async () => {
  const keyFile = path.join(folder, 'key.pem');
  await writeFile(keyFile, publicKey);
  const origins = await read({
    'Example-GRS': { nrtm4: { ...nrtm4, key: keyFile } },
    'OTHER-GRS': { nrtm4: { ...nrtm4, url: 'http://192.0.2.1/a', ownNetwork: true } },
  });
  expect([...origins.keys()]).toEqual(['EXAMPLE-GRS', 'OTHER-GRS']);
  expect(origins.get('EXAMPLE-GRS')).toMatchObject({
    kind: 'nrtm4',
    address: nrtm4.url,
    originSource: 'EXAMPLE',
    ownNetwork: false,
    everyMs: 60_000,
  });
});

test('a known registry needs only its name, and other members override its facts', async () => {
  const origins = await read({
    'EXAMPLE-GRS': { preset: 'altdb' },
    'OTHER-GRS': { preset: { name: 'RIPE', follow: 'nrtm3', host: '192.0.2.1', classes: ['route'] } },
  });
  expect(origins.get('EXAMPLE-GRS')).toMatchObject({
    kind: 'dump',
    address: 'ftp://ftp.altdb.net/pub/altdb/altdb.db.gz',
    originSource: 'ALTDB',
    warnings: ['Files come by ftp: nothing protects them from changes on the way'],
  });
  expect(origins.get('EXAMPLE-GRS')!.classes).toContain('route6');
  expect(origins.get('OTHER-GRS')).toMatchObject({ kind: 'nrtm3', address: '192.0.2.1:4444', originSource: 'RIPE' });
});

test.each(Object.keys(presets))('the facts of %s are an origin', async (name) => {
  for (const follow of followKinds(presets[name]!)) {
    const origins = await read({
      [source]: { preset: { name, follow, ...(follow === 'nrtm4' && { key: publicKey }) } },
    });
    expect(origins.get(source)).toMatchObject({ kind: follow, originSource: name });
  }
});

test.each<[string, unknown, RegExp]>([
  ['an unknown registry', { 'EXAMPLE-GRS': { preset: 'EXAMPLE' } }, /preset: name: must be one of AFRINIC/],
  ['no JSON', '{', /cannot be read as JSON/],
  ['a list', [], /must be an object/],
  ['a source that is no copy', { 'THIRD-GRS': { nrtm4 } }, /THIRD-GRS: is not in CADASTRE_GRS_SOURCES/],
  ['no kind', { 'EXAMPLE-GRS': {} }, /must have exactly one of: nrtm4/],
  ['two kinds', { 'EXAMPLE-GRS': { nrtm4, nrtm3: {} } }, /must have exactly one of/],
  ['another kind', { 'EXAMPLE-GRS': { ftp: {} } }, /must have exactly one of/],
  ['an inherited kind', { 'EXAMPLE-GRS': { constructor: {} } }, /must have exactly one of/],
  ['http', { 'EXAMPLE-GRS': { nrtm4: { ...nrtm4, url: 'http://example.net/a' } } }, /nrtm4: url: must be an https/],
  [
    'credentials',
    { 'EXAMPLE-GRS': { nrtm4: { ...nrtm4, url: 'https://a:b@example.net/a' } } },
    /must not hold credentials/,
  ],
  ['a private key', { 'EXAMPLE-GRS': { nrtm4: { ...nrtm4, key: privateKey } } }, /key: must be a public key/],
  [
    'a key file that is not there',
    { 'EXAMPLE-GRS': { nrtm4: { ...nrtm4, key: '/nowhere' } } },
    /key: must be a public key/,
  ],
  ['another member', { 'EXAMPLE-GRS': { nrtm4: { ...nrtm4, insecure: true } } }, /insecure: is none of/],
  ['nothing', { 'EXAMPLE-GRS': { nrtm4: null } }, /nrtm4: must be an object/],
  ['several faults', { 'EXAMPLE-GRS': { nrtm4: {} } }, /url: .*source: .*key: /s],
])('a file of origins with %s is refused', async (_, content, fault) => {
  await expect(read(content)).rejects.toThrow(fault);
});
