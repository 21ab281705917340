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
import { type Answer, type Rest, restClient } from './harness/rest.js';
import { objectOf, values, type WhoisClient, whoisClient } from './harness/whois.js';

// Ten processes start one after the other on a busy machine.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

/** The services that read replicas. */
const readers = ['objects'] as const;
type Reader = (typeof readers)[number];

let postgres: ReplicatedPostgres;
let readAddress: Awaited<ReturnType<typeof openAddress>>;
let cluster: Cluster;
let rests: (Rest & { close(): void })[];
/** A client of each gateway. */
let clients: WhoisClient[];

beforeAll(async () => {
  readAddress = await openAddress();
  cluster = await startCluster({
    env: Object.fromEntries(
      readers.map((name) => [
        `CADASTRE_${name.toUpperCase()}_READ_DATABASE_URL`,
        `postgres://${name}@127.0.0.1:${readAddress.port}/cadastre`,
      ]),
    ),
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
/** Whether a test has lost the replica. */
let isLost = true;

beforeEach(async () => {
  await postgres.ensureStandby();
  if (isLost) replica = await postgres.addReadReplica();
  isLost = false;
  readAddress.leadTo(replica.port);
  await eventually(async () => {
    const before = await Promise.all(readers.map((name) => readsOf(name, 'replica')));
    await checkReads();
    for (const [at, name] of readers.entries()) expect(await readsOf(name, 'replica')).toBeGreaterThan(before[at]!);
  }, 180_000);
});

afterEach(async () => {
  if (!isLost) return;
  readAddress.leadTo(undefined);
  await replica?.discard();
});

/** The reads of all processes of a service that had this outcome. */
async function readsOf(name: Reader, outcome: string): Promise<number> {
  const pages = cluster.replicas[name].map(async ({ operations }) => {
    const text = await (await fetch(`http://${operations}/metrics`)).text();
    const sample = new RegExp(`^cadastre_replica_reads_total\\{outcome="${outcome}".*\\} (\\d+)$`, 'm').exec(text);
    return Number(sample?.[1] ?? 0);
  });
  return (await Promise.all(pages)).reduce((sum, n) => sum + n, 0);
}

let made = 0;

interface LongestMs {
  readonly lookup: number;
  /** With the time until the index has the write. */
  readonly search: number;
}

/**
 * Writes at one gateway and reads at the other, which never answers these reads from its cache: it only caches objects
 * that were requested before. A search names the serial of the write. Returns the maximum times.
 */
async function checkReads(): Promise<LongestMs> {
  const longest = { lookup: 0, search: 0 };
  const key = `RR${++made}-TEST`;
  const [writing, reading] = made % 2 === 0 ? [0, 1] : [1, 0];
  const [writer, reader] = [clients[writing], clients[reading]];
  const timed = async (kind: keyof LongestMs, send: () => Promise<Answer>) => {
    const begun = performance.now();
    const answer = await send();
    longest[kind] = Math.max(longest[kind], performance.now() - begun);
    expect([kind, key, answer.status]).toEqual([kind, key, 200]);
    return values(objectOf(answer), 'address')[0];
  };
  const read = () => timed('lookup', () => reader!.lookup('person', key));
  const search = (serial: string) =>
    timed('search', () =>
      rests[reading]!(`/search?query-string=${key}&flags=r`, {
        accept: 'application/json',
        headers: { 'CADASTRE-Serial': serial },
      }),
    );
  const text = personText('Replica Reader', key);
  expect((await writer!.create('person', text)).status).toBe(200);
  expect(await read()).toBe('Example Street 9');
  const updated = await writer!.update('person', key, text.replace('Street 9', 'Street 10'));
  expect(updated.status).toBe(200);
  expect(await read()).toBe('Example Street 10');
  expect(await search(String(updated.headers['cadastre-serial']))).toBe('Example Street 10');
  return longest;
}

/** Index scans of the objects of a service at a server; its statistics are up to a second old. */
async function scansAt(server: Pick<ReadReplica, 'query'>, name: Reader): Promise<number> {
  const { rows } = await server.query(`
    select sum(idx_scan)::integer as scans from pg_stat_all_tables
    where schemaname = '${name}' and relname like 'object%' and relname not like '%next%'`);
  return rows[0].scans;
}

async function lookUpSamples(times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    // An unfiltered lookup is not cached.
    const answer = await rests[n % 2]!('/TEST/mntner/EXAMPLE-MNT?unfiltered', { accept: 'application/json' });
    expect(answer.status).toBe(200);
  }
}

/** Runs samples that need at least one read each; all of them must read the replica, unless the machine delays some. */
test.each<[Reader, (times: number) => Promise<void>]>([['objects', lookUpSamples]])(
  'the replica answers what %s reads',
  async (name, runSamples) => {
    const outcomes = ['replica', 'behind', 'failed', 'paused'];
    const counted = () => Promise.all(outcomes.map((outcome) => readsOf(name, outcome)));
    await eventually(async () => {
      const [before, ...others] = await counted();
      const scans = { replica: await scansAt(replica, name), primary: await scansAt(postgres, name) };
      await runSamples(200);
      expect(await counted()).toEqual([expect.any(Number), ...others]);
      expect(await readsOf(name, 'replica')).toBeGreaterThanOrEqual(before! + 200);
      await eventually(async () => expect(await scansAt(replica, name)).toBeGreaterThanOrEqual(scans.replica + 200));
      expect(await scansAt(postgres, name)).toBeLessThan(scans.primary + 100);
    }, 180_000);
  },
);

/** Each situation returns the function that ends it. */
const situations: Record<string, () => Promise<(() => unknown) | undefined>> = {
  'follows immediately': async () => undefined,
  'stands still': async () => {
    await replica.query('select pg_wal_replay_pause()');
    return () => replica.query('select pg_wal_replay_resume()');
  },
  hangs: async () => replica.hang(),
  'was killed': async () => {
    isLost = true;
    await replica.discard();
    return undefined;
  },
  'was promoted and has its own changes': async () => {
    isLost = true;
    await replica.query('select pg_promote()');
    await replica.query('update objects.source set serial = serial + 1');
    return undefined;
  },
};

test.each(Object.keys(situations))('reads see every write that was acknowledged: the replica %s', async (name) => {
  const end = await situations[name]!();
  const longest: LongestMs[] = [];
  try {
    for (let n = 0; n < 50; n++) longest.push(await checkReads());
  } finally {
    await end?.();
  }
  const [lookup, search] = (['lookup', 'search'] as const).map((kind) =>
    Math.max(...longest.map((one) => one[kind])).toFixed(),
  );
  process.stdout.write(`the replica ${name}: the longest lookup took ${lookup} ms, search ${search} ms\n`);
});

test('after a failover nothing reads a replica of the lost primary; a replica of the new one is read', async () => {
  isLost = true;
  await postgres.failOver('killed');
  await eventually(async () => void (await checkReads()), 180_000);
  const reads = () => Promise.all(readers.map((name) => readsOf(name, 'replica')));
  const before = await reads();
  for (let n = 0; n < 20; n++) await checkReads();
  await lookUpSamples(50);
  expect(await reads()).toEqual(before);
  const next = await postgres.addReadReplica();
  readAddress.leadTo(next.port);
  await replica.discard();
  replica = next;
  await eventually(async () => {
    await lookUpSamples(10);
    for (const [at, count] of (await reads()).entries()) expect(count).toBeGreaterThan(before[at]!);
  }, 180_000);
});
