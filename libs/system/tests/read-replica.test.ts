import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Cluster, startCluster } from './harness/cluster.js';
import { eventually } from './harness/eventually.js';
import { personText } from './harness/person-text.js';
import {
  openAddress,
  type ReadReplica,
  type ReplicatedPostgres,
  startReplicatedPostgres,
} from './harness/replicated-postgres.js';
import { type Rest, restClient } from './harness/rest.js';
import { objectOf, values, type WhoisClient, whoisClient } from './harness/whois.js';

// Ten processes start one after the other on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

let postgres: ReplicatedPostgres;
let readAddress: Awaited<ReturnType<typeof openAddress>>;
let cluster: Cluster;
let rests: (Rest & { close(): void })[];
/** A client of each gateway. */
let clients: WhoisClient[];

beforeAll(async () => {
  readAddress = await openAddress();
  cluster = await startCluster({
    env: { CADASTRE_OBJECTS_READ_DATABASE_URL: `postgres://objects@127.0.0.1:${readAddress.port}/cadastre` },
    startPostgres: async (directory) => {
      postgres = await startReplicatedPostgres(join(directory, 'servers'));
      return postgres;
    },
  });
  rests = cluster.gateways.map((address) =>
    restClient({
      http: '',
      https: `https://localhost:${address.split(':')[1]}`,
      certHttps: '',
      certificateText: cluster.gatewayCertificate,
    }),
  );
  clients = rests.map((rest) => whoisClient(rest, cluster.credential));
});

afterAll(async () => {
  for (const rest of rests ?? []) rest.close();
  await cluster?.stop();
  readAddress?.close();
});

let replica: ReadReplica;

beforeEach(async () => {
  await postgres.ensureStandby();
  replica = await postgres.addReadReplica();
  readAddress.leadTo(replica.port);
  await eventually(async () => {
    const before = await readsOf('replica');
    await checkReads();
    expect(await readsOf('replica')).toBeGreaterThan(before);
  }, 60_000);
});

afterEach(async () => {
  readAddress.leadTo(undefined);
  await replica?.discard();
});

/** The lookups of all processes of objects that had this outcome. */
async function readsOf(outcome: string): Promise<number> {
  const pages = cluster.replicas.objects.map(async ({ operations }) => {
    const text = await (await fetch(`http://${operations}/metrics`)).text();
    const sample = new RegExp(`^cadastre_replica_reads_total\\{outcome="${outcome}".*\\} (\\d+)$`, 'm').exec(text);
    return Number(sample?.[1] ?? 0);
  });
  return (await Promise.all(pages)).reduce((sum, n) => sum + n, 0);
}

let made = 0;

/**
 * Writes at one gateway and reads at the other, which never answers these reads from its cache: it caches what was asked
 * for before. Returns the longest time of a read.
 */
async function checkReads(): Promise<number> {
  let longestMs = 0;
  const key = `RR${++made}-TEST`;
  const [writer, reader] = made % 2 === 0 ? clients : [...clients].reverse();
  const read = async () => {
    const begun = performance.now();
    const answer = await reader!.lookup('person', key);
    longestMs = Math.max(longestMs, performance.now() - begun);
    expect([key, answer.status]).toEqual([key, 200]);
    return values(objectOf(answer), 'address')[0];
  };
  const text = personText('Replica Reader', key);
  expect((await writer!.create('person', text)).status).toBe(200);
  expect(await read()).toBe('Example Street 9');
  expect((await writer!.update('person', key, text.replace('Street 9', 'Street 10'))).status).toBe(200);
  expect(await read()).toBe('Example Street 10');
  return longestMs;
}

/** Index scans of the table of objects at a server; its statistics are up to a second old. */
async function scansAt(server: Pick<ReadReplica, 'query'>): Promise<number> {
  const { rows } = await server.query(`
    select sum(idx_scan)::integer as scans from pg_stat_all_tables
    where schemaname = 'objects' and relname like 'object%' and relname not like '%next%'`);
  return rows[0].scans;
}

async function lookUpSamples(times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    // An unfiltered lookup is not cached.
    const answer = await rests[n % 2]!('/TEST/mntner/EXAMPLE-MNT?unfiltered', { accept: 'application/json' });
    expect(answer.status).toBe(200);
  }
}

test('the replica answers lookups', async () => {
  const before = await readsOf('replica');
  const scans = { replica: await scansAt(replica), primary: await scansAt(postgres) };
  await lookUpSamples(200);
  expect(await readsOf('replica')).toBe(before + 200);
  await eventually(async () => expect(await scansAt(replica)).toBeGreaterThanOrEqual(scans.replica + 200));
  expect(await scansAt(postgres)).toBeLessThan(scans.primary + 100);
});

/** Each situation returns what ends it. */
const situations: Record<string, () => Promise<(() => unknown) | undefined>> = {
  'follows immediately': async () => undefined,
  'stands still': async () => {
    await replica.query('select pg_wal_replay_pause()');
    return () => replica.query('select pg_wal_replay_resume()');
  },
  hangs: async () => replica.hang(),
  'was killed': async () => {
    await replica.discard();
    return undefined;
  },
  'was promoted and has its own changes': async () => {
    await replica.query('select pg_promote()');
    await replica.query('update objects.source set serial = serial + 1');
    return undefined;
  },
};

test.each(Object.keys(situations))('a lookup sees every write that was acknowledged: the replica %s', async (name) => {
  const end = await situations[name]!();
  const longest: number[] = [];
  try {
    for (let n = 0; n < 50; n++) longest.push(await checkReads());
  } finally {
    await end?.();
  }
  process.stdout.write(`the replica ${name}: the longest lookup took ${Math.max(...longest).toFixed()} ms\n`);
});

test('after a failover no lookup reads a replica of the lost primary; a replica of the new one is read', async () => {
  await postgres.failOver('killed');
  await eventually(async () => void (await checkReads()), 60_000);
  const before = await readsOf('replica');
  for (let n = 0; n < 20; n++) await checkReads();
  await lookUpSamples(50);
  expect(await readsOf('replica')).toBe(before);
  const next = await postgres.addReadReplica();
  readAddress.leadTo(next.port);
  await replica.discard();
  replica = next;
  await eventually(async () => {
    await lookUpSamples(10);
    expect(await readsOf('replica')).toBeGreaterThan(before);
  }, 60_000);
});
