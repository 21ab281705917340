import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Cluster, startCluster } from './harness/cluster.js';
import { eventually } from './harness/eventually.js';
import { personText } from './harness/person-text.js';
import { type Loss, type ReplicatedPostgres, startReplicatedPostgres } from './harness/replicated-postgres.js';
import { type Rest, restClient } from './harness/rest.js';
import { objectOf, values, type WhoisClient, whoisClient } from './harness/whois.js';

/** Failovers for each kind of loss; raise it for a long trial. */
const rounds = Number(process.env.CADASTRE_TEST_FAILOVERS ?? 1);

vi.setConfig({ testTimeout: 60_000 + rounds * 60_000, hookTimeout: 300_000 });

let postgres: ReplicatedPostgres;
let cluster: Cluster;
let rest: Rest & { close(): void };
let whois: WhoisClient;

beforeAll(async () => {
  cluster = await startCluster({
    count: 1,
    startPostgres: async (directory) => {
      postgres = await startReplicatedPostgres(join(directory, 'servers'));
      return postgres;
    },
  });
  const https = `https://localhost:${cluster.gateways[0]!.split(':')[1]}`;
  rest = restClient({ http: '', https, certHttps: '', certificateText: cluster.gatewayCertificate });
  whois = whoisClient(rest, cluster.credential);
});

afterAll(async () => {
  rest?.close();
  await cluster?.stop();
});

/** A write: whether the registry acknowledged it. Whatever is not acknowledged must be a refusal to retry. */
interface Write {
  readonly key: string;
  readonly acknowledged: boolean;
}

/** Creates persons one after the other, each once, and reads each back; remembers the writes. */
function startWriter(prefix: string) {
  const writes: Write[] = [];
  const wrong: string[] = [];
  let running = true;
  let lastAt = performance.now();
  let outageMs = 0;
  const done = (async () => {
    for (let n = 1; running; n++) {
      const key = `${prefix}${n}-TEST`;
      const { status, text, headers } = await whois.create('person', personText('Failover Writer', key));
      const acknowledged = status === 200;
      writes.push({ key, acknowledged });
      if (!acknowledged) {
        if (status !== 503 || headers['retry-after'] === undefined) wrong.push(`${key}: ${status} ${text}`);
        continue;
      }
      outageMs = Math.max(outageMs, performance.now() - lastAt);
      lastAt = performance.now();
      const read = await whois.lookup('person', key);
      if (read.status !== 200 && read.status !== 503) wrong.push(`${key} was acknowledged, then: ${read.status}`);
    }
  })();
  return {
    writes,
    wrong,
    acknowledged: () => writes.filter((one) => one.acknowledged).length,
    /** The longest time between two acknowledged writes. */
    outageMs: () => outageMs,
    stop: async () => {
      running = false;
      await done;
    },
  };
}

const losses: readonly Loss[] = ['killed', 'hung', 'cut off'];

/** Two letters for the keys of each round. */
let round = -1;
function nextLetters(): string {
  round++;
  return String.fromCharCode(65 + Math.floor(round / 26), 65 + (round % 26));
}

beforeEach(() => postgres.ensureStandby());

test.each(losses)('when the primary is %s, its standby takes over and nothing acknowledged is lost', async (loss) => {
  const outages: number[] = [];
  for (let n = 0; n < rounds; n++) {
    const letters = nextLetters();
    await postgres.ensureStandby();
    const writers = ['X', 'Y', 'Z'].map((letter) => startWriter(`${letters}${letter}`));
    const acknowledged = () => writers.reduce((sum, one) => sum + one.acknowledged(), 0);
    const untilMore = async () => {
      const before = acknowledged();
      await eventually(() => expect(acknowledged()).toBeGreaterThan(before + 10), 60_000);
    };
    try {
      await untilMore();
      await postgres.failOver(loss);
      await untilMore();
    } finally {
      await Promise.all(writers.map((one) => one.stop()));
    }
    outages.push(Math.max(...writers.map((one) => one.outageMs())));
    expect(writers.flatMap(({ wrong }) => wrong)).toEqual([]);
    await expectAllKept(writers.flatMap(({ writes }) => writes));
    await expectGapless();
    await expectFollowers(`${letters}W1-TEST`);
  }
  const seconds = outages.map((ms) => (ms / 1000).toFixed(1)).join(', ');
  process.stdout.write(`primary ${loss}: seconds without an acknowledged write: ${seconds}\n`);
});

test('a write whose wait for the standby was cancelled is not acknowledged', async () => {
  const waiting = "pg_stat_activity where wait_event = 'SyncRep' and application_name = 'cadastre-objects-write'";
  const release = postgres.holdStandby();
  try {
    const write = whois.create('person', personText('Lonely Writer', `${nextLetters()}L1-TEST`));
    await eventually(async () => expect((await postgres.query(`select 1 from ${waiting}`)).rowCount).toBe(1));
    await postgres.query(`select pg_cancel_backend(pid) from ${waiting}`);
    expect((await write).status).toBe(503);
  } finally {
    release();
  }
});

/** Every acknowledged write is there; every write was done at most once. */
async function expectAllKept(writes: readonly Write[]): Promise<void> {
  const keys = writes.map(({ key }) => `'${key.toLowerCase()}'`).join();
  const { rows } = await postgres.query(
    `select key, count(*)::integer as changes from objects.change where key in (${keys}) group by key`,
  );
  const changes = new Map(rows.map((row) => [row.key, row.changes]));
  const lost = writes.filter(({ key, acknowledged }) => acknowledged && !changes.has(key.toLowerCase()));
  expect(lost).toEqual([]);
  expect(rows.filter((row) => row.changes !== 1)).toEqual([]);
}

async function expectGapless(): Promise<void> {
  const { rows } = await postgres.query(
    'select count(*) = max(serial) - min(serial) + 1 as gapless from objects.change group by source_id',
  );
  expect(rows.filter(({ gapless }) => !gapless)).toEqual([]);
}

/** Search, and the caches of the gateway, follow the new primary. */
async function expectFollowers(key: string): Promise<void> {
  const text = personText('Failover Reader', key);
  await eventually(async () => expect((await whois.create('person', text)).status).toBe(200));
  await eventually(
    async () => expect((await rest(`/search?source=test&query-string=${key}`)).status).toBe(200),
    60_000,
  );
  const street = async () => values(objectOf(await whois.lookup('person', key)), 'address')[0];
  expect([await street(), await street()]).toEqual(['Example Street 9', 'Example Street 9']);
  const changed = await whois.update('person', key, text.replace('Street 9', 'Street 10'));
  expect(changed.status).toBe(200);
  expect(await street()).toBe('Example Street 10');
}
