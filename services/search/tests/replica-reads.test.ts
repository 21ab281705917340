import { createMetrics, type Metrics } from '@cadastre/service';
import { testDatabase, testLogger } from '@cadastre/service/testing';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Batch, SearchIndex } from '../src/index-port.js';
import { createPostgresIndex } from '../src/postgres/postgres-index.js';
import { migrations } from '../src/service.js';
import { document, fill, ipv4Range } from './contract/documents.js';
import { statementsDuring } from './count-statements.js';

// The replica is an index of its own, so that its content can differ from that of the primary and tells who answered.
// libs/system/tests/read-replica.test.ts has a real standby.

type Side = 'primary' | 'replica';
const sides: readonly Side[] = ['primary', 'replica'];
const connections = 2;

interface Store {
  readonly url: string;
  readonly index: SearchIndex;
  readonly admin: pg.Client;
  close(): Promise<void>;
}

let stores: Record<Side, Store>;
/** The index under test. */
let index: SearchIndex;
let metrics: Metrics;

async function openStore(): Promise<Store> {
  const { url, drop } = await testDatabase(migrations);
  const index = createPostgresIndex({ url, connections });
  const admin = new pg.Client(url);
  await admin.connect();
  await admin.query('insert into primary_server values (true, pg_postmaster_start_time())');
  const close = async () => {
    await Promise.all([index.stop(), admin.end()]);
    await drop();
  };
  return { url, index, admin, close };
}

beforeEach(async () => {
  stores = { primary: await openStore(), replica: await openStore() };
  for (const side of sides)
    for (const source of ['A', 'B']) await fill(stores[side].index, source, documents(side, source));
  metrics = createMetrics('search');
  const { primary, replica } = stores;
  index = createPostgresIndex({
    ...{ url: primary.url, connections, metrics },
    replicas: { url: replica.url, logger: testLogger() },
  });
});

afterEach(async () => {
  await index.stop();
  for (const side of sides) await stores[side].close();
});

/** Objects whose texts and values name the side that has them. */
function documents(side: Side, source: string) {
  const text = `remarks: ${side}\n`;
  return [
    document({ source, type: 'mntner', key: 'a-mnt', terms: ['mntner=a-mnt'], text }),
    document({
      source,
      type: 'inetnum',
      key: 'net',
      range: ipv4Range('10.0.0.0', '10.0.0.255'),
      terms: [`mnt-irt=${side}`],
    }),
  ];
}

const term = { kind: 'terms', type: 'mntner', anyOf: [['mntner=a-mnt']], order: 'key' } as const;
const mntner = { type: 'mntner', key: 'a-mnt' } as const;

/** The side that answers a search. */
async function found(source = 'A'): Promise<string | undefined> {
  const matches = await index.query(source, [term], new AbortController().signal);
  for await (const page of matches?.pages ?? []) return sideIn(page[0]!.text);
  return undefined;
}

/** The side that answers a load by key. */
async function load(source = 'A'): Promise<string | undefined> {
  const { objects } = await index.load([{ source, ...mntner }]);
  return sideIn(objects[0]!.text);
}

async function nearest(): Promise<string | undefined> {
  const [network] = await index.nearestWith('A', 'inetnum', 'mnt-irt', [ipv4Range('10.0.0.1', '10.0.0.1')]);
  return network?.values[0];
}

function sideIn(text: string): string | undefined {
  return /remarks: (.*)/.exec(text)?.[1];
}

async function outcomes(): Promise<Record<string, number>> {
  const { values } = (await metrics.getSingleMetric('cadastre_replica_reads_total')!.get()) as {
    values: { labels: { outcome?: string }; value: number }[];
  };
  return Object.fromEntries(values.map(({ labels, value }) => [labels.outcome, value]));
}

function change(side: Side, serial: bigint): Batch {
  const text = `remarks: ${side}-${serial}\n`;
  const changed = document({ source: 'A', ...mntner, terms: ['mntner=a-mnt'], text, serial });
  return { after: serial - 1n, documents: [changed], deletions: [], serial };
}

test.each<[string, () => Promise<unknown>]>([
  ['searches', found],
  ['loads by key', load],
  ['what encloses a range', nearest],
])('a current replica answers %s', async (_, read) => {
  expect(await read()).toBe('replica');
  expect(await outcomes()).toEqual({ replica: expect.any(Number) });
});

test('a search sees every change of the index, and what the replica has counts as soon as it has the same', async () => {
  for (let serial = 2n; serial < 12n; serial++) {
    await stores.primary.index.apply('A', change('primary', serial));
    expect(await found()).toBe(`primary-${serial}`);
    if (serial % 2n === 0n) continue;
    await stores.replica.index.apply('A', change('replica', serial - 1n));
    await stores.replica.index.apply('A', change('replica', serial));
    await expect.poll(() => found()).toBe(`replica-${serial}`);
  }
  expect(await outcomes()).toMatchObject({ replica: expect.any(Number), behind: expect.any(Number) });
});

test('only the index of the searched source counts', async () => {
  await stores.primary.index.apply('A', change('primary', 2n));
  expect(await found('B')).toBe('replica');
});

test('after a rebuild the same serial is not the same index', async () => {
  expect(await found()).toBe('replica');
  const rebuilt = async (side: Side) => {
    const rebuild = await stores[side].index.beginRebuild('A', { serial: 1n });
    await rebuild.fill(documents(side, 'A'));
    await rebuild.finish({ serial: 1n });
  };
  await rebuilt('primary');
  expect(await found()).toBe('primary');
  await rebuilt('replica');
  await expect.poll(() => found()).toBe('replica');
});

test('a replica that follows another primary is not read', async () => {
  await stores.replica.admin.query("update primary_server set started = '2026-01-01'");
  expect(await found()).toBe('primary');
});

test('searches that wait for the primary keep none waiting that the replica can answer', async () => {
  expect(await found('B')).toBe('replica');
  await stores.primary.index.apply('A', change('primary', 2n));
  const { generation } = (await stores.primary.admin.query("select generation from format_index where source = 'A'"))
    .rows[0];
  await stores.primary.admin.query(`begin; lock table document_${generation}`);
  const waiting = Promise.all(Array.from({ length: connections }, () => load('A')));
  waiting.catch(() => {});
  // A transaction sees one state of pg_stat_activity.
  const blocked = `select from pg_stat_activity where wait_event_type = 'Lock' and datname = $1`;
  const database = new URL(stores.primary.url).pathname.slice(1);
  await expect.poll(async () => (await stores.replica.admin.query(blocked, [database])).rowCount).toBe(connections);
  for (let n = 0; n < 5; n++) expect(await found('B')).toBe('replica');
  await stores.primary.admin.query('commit');
  expect(await waiting).toEqual(['primary-2', 'primary-2']);
});

test('searches at the same time take one short statement of the primary, or two', async () => {
  const searches = () => Promise.all(Array.from({ length: 20 }, () => found()));
  await searches();
  const count = async (pool: string) => (await statementsDuring(searches, pool)).length;
  expect(await count('cadastre search')).toBe(0);
  expect(await count('cadastre search positions')).toBeLessThanOrEqual(2);
});
