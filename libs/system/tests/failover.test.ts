import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import {
  type Cluster,
  connectsAgain,
  type Replica,
  type Replicated,
  replicated,
  startCluster,
  startUntilReady,
} from './harness/cluster.js';
import { eventually } from './harness/eventually.js';
import { type LoadBalancer, startLoadBalancer } from './harness/load-balancer.js';
import { personText } from './harness/person-text.js';
import { type Loss, type ReplicatedPostgres, startReplicatedPostgres } from './harness/replicated-postgres.js';
import { type Answer, type Rest, restClient } from './harness/rest.js';
import { type Stalls, watchStalls } from './harness/stalls.js';
import { type Answered, startReads, startTraffic, wasDuringStall } from './harness/traffic.js';
import { objectOf, values, type WhoisClient, whoisClient } from './harness/whois.js';

// Two replicas of each service, a primary and its standby: each round breaks something under load.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

const seed = Number(process.env.CADASTRE_TEST_SEED ?? Math.floor(Math.random() * 2 ** 31));
/** Rounds of all kinds in a random order; by default one for each loss of the primary, and three others. */
const rounds = Number(process.env.CADASTRE_TEST_ROUNDS ?? 0);

let postgres: ReplicatedPostgres;
let cluster: Cluster;
let balancer: LoadBalancer;
let stalls: Stalls;
let rest: Rest & { close(): void };
/** Sends each request once. */
let once: Rest & { close(): void };
let whois: WhoisClient;

beforeAll(async () => {
  cluster = await startCluster({
    startPostgres: async (directory) => {
      postgres = await startReplicatedPostgres(join(directory, 'servers'));
      return postgres;
    },
  });
  balancer = startLoadBalancer(cluster);
  stalls = watchStalls();
  const https = `https://localhost:${cluster.gateways[0]!.split(':')[1]}`;
  const addresses = { http: '', https, certHttps: '', certificateText: cluster.gatewayCertificate };
  rest = restClient(addresses);
  once = restClient(addresses, { repeats: false });
  whois = whoisClient(rest, cluster.credential);
  console.log(`failover: CADASTRE_TEST_SEED=${seed} CADASTRE_TEST_ROUNDS=${rounds}`);
});

afterAll(async () => {
  rest?.close();
  once?.close();
  stalls?.stop();
  await balancer?.stop();
  await cluster?.stop();
  for (const line of summary()) console.log(line);
});

/** What breaks. */
interface Kind {
  readonly name: string;
  readonly group: 'killed' | 'hung' | 'lost' | 'stopped';
  /** Breaks one replica of a service; returns the function that repairs it. */
  begin(which: number): Promise<() => Promise<void>>;
  /** Whether the clients may see this. */
  mayFail(request: Answered): boolean;
}

const losses: readonly Loss[] = ['killed', 'hung', 'cut off'];

/**
 * Returns a function that restarts a replica, once it has ended, and waits until its current clients have reconnected.
 */
function startsAgain(replica: Replica): () => Promise<void> {
  const clientsConnect = connectsAgain(cluster, replica);
  return async () => {
    await startUntilReady(replica);
    await clientsConnect();
  };
}

const isRefused = ({ status, headers }: Answered) => status === 503 && headers['retry-after'] !== undefined;
const hasNoResponse = ({ status }: Answered) => status === 0;

/** A server that is cut off still responds, but with old data. */
const mayFailWith = (service: Replicated) => (request: Answered) =>
  service === 'gateway' ? hasNoResponse(request) : request.writes !== undefined && isRefused(request);

/** A server that is cut off still answers, but knows nothing new. */
const mayFailAfter = (loss: Loss) => (request: Answered) =>
  isRefused(request) || (loss === 'cut off' && classOf(request) === 'lookup' && request.status === 404);

const killed = (service: Replicated): Kind => ({
  name: `${service} is killed`,
  group: 'killed',
  async begin(which) {
    const replica = cluster.replicas[service][which]!;
    const startAgain = startsAgain(replica);
    process.kill(replica.pid(), 'SIGKILL');
    await replica.stop();
    return startAgain;
  },
  mayFail: mayFailWith(service),
});

const hung = (service: Replicated): Kind => ({
  name: `${service} hangs`,
  group: 'hung',
  async begin(which) {
    const pid = cluster.replicas[service][which]!.pid();
    process.kill(pid, 'SIGSTOP');
    return async () => void process.kill(pid, 'SIGCONT');
  },
  mayFail: mayFailWith(service),
});

const lost = (loss: Loss): Kind => ({
  name: `the primary is ${loss}`,
  group: 'lost',
  async begin() {
    await postgres.failOver(loss);
    return postgres.ensureStandby;
  },
  mayFail: mayFailAfter(loss),
});

/** As Kubernetes does: a drain costs no more than the failover alone. */
const stopped = (service: Replicated, loss: Loss): Kind => ({
  name: `${service} stops while the primary is ${loss}`,
  group: 'stopped',
  async begin(which) {
    const replica = cluster.replicas[service][which]!;
    const startAgain = startsAgain(replica);
    const [ending] = await Promise.all([replica.stop(), postgres.failOver(loss)]);
    return async () => {
      await startAgain();
      await postgres.ensureStandby();
      expect(ending).toBe('ended with exit code 0');
    };
  },
  mayFail: mayFailAfter(loss),
});

const kinds = [
  ...losses.map(lost),
  ...replicated.flatMap((service) => [killed(service), hung(service), ...losses.map((loss) => stopped(service, loss))]),
];

/** The rounds: all kinds in a random order, repeatedly. */
function plan(): { name: string; kind: Kind; which: number }[] {
  const all = { minLength: kinds.length, maxLength: kinds.length };
  const cycle = fc.tuple(fc.shuffledSubarray(kinds, all), fc.array(fc.nat(1), all));
  const cycles = fc.sample(cycle, { seed, numRuns: Math.max(1, Math.ceil(rounds / kinds.length)) });
  const planned = cycles.flatMap(([order, choices]) =>
    order.map((kind, n) => ({ name: kind.name, kind, which: choices[n]! })),
  );
  if (rounds > 0) return planned.slice(0, rounds);
  const groups = planned.map(({ kind }) => kind.group);
  return planned.filter(({ kind }, n) => kind.group === 'lost' || groups.indexOf(kind.group) === n);
}

/** Requests by what they need; each has clients of its own. */
const classOf = ({ path, writes }: Answered): string => {
  if (writes !== undefined) return 'write';
  if (path.startsWith('/TEST/person')) return 'lookup';
  if (path.startsWith('/TEST/mntner')) return 'cached lookup';
  return path.startsWith('/search') ? 'search' : path.startsWith('/abuse-contact') ? 'abuse contact' : 'metadata';
};
const classes = ['write', 'lookup', 'cached lookup', 'search', 'abuse contact'];

const isAnswered = ({ status }: Answered) => status === 200;

/** Two letters for the keys of each round. */
let round = -1;
function nextLetters(): string {
  round++;
  return String.fromCharCode(65 + Math.floor(round / 26), 65 + (round % 26));
}

/** Clients that write and read. */
function startClients(letters: string) {
  const answered: Answered[] = [];
  const acknowledged = [`EXAMPLE-MNT`];
  const onAnswered = (one: Answered) => {
    answered.push(one);
    if (one.writes !== undefined && isAnswered(one)) acknowledged.push(one.writes);
  };
  let reads = 0;
  const anyPerson = () => {
    const key = acknowledged[(reads++ * 7919) % acknowledged.length]!;
    return key.endsWith('-MNT') ? `/TEST/mntner/${key}` : `/TEST/person/${key}`;
  };
  const paths = [
    anyPerson,
    () => '/TEST/mntner/EXAMPLE-MNT',
    () => '/search?query-string=EXAMPLE-MNT',
    () => '/abuse-contact/192.0.2.1',
  ];
  const ends = [
    ...['X', 'Y', 'Z'].map((letter) => startTraffic(balancer.createClient(), letters + letter, onAnswered)),
    ...paths.map((path) => startReads(balancer.createClient(), path, onAnswered)),
  ];
  return {
    answered,
    /** Waits until all classes have more answers from now on. */
    async untilMore() {
      const from = performance.now();
      const countOf = (name: string) =>
        answered.filter((one) => one.at > from && isAnswered(one) && classOf(one) === name).length;
      await eventually(
        () => expect(classes.filter((name) => countOf(name) < (name === 'write' ? 10 : 3))).toEqual([]),
        180_000,
      );
    },
    count: ends.length,
    end: async () => void (await Promise.all(ends.map((end) => end()))),
  };
}

interface Outcome {
  readonly name: string;
  /** Maximum time without an answer, in milliseconds, and the number of failed requests, by class. */
  readonly outages: ReadonlyMap<string, number>;
  readonly failures: ReadonlyMap<string, number>;
}
const outcomes: Outcome[] = [];

function outcomeOf(name: string, answered: readonly Answered[]): Outcome {
  const gap = (of: string) => {
    const times = answered.filter((one) => classOf(one) === of && isAnswered(one)).map(({ at }) => at);
    return Math.max(...times.slice(1).map((at, n) => at - times[n]!));
  };
  const failed = (of: string) => answered.filter((one) => classOf(one) === of && !isAnswered(one)).length;
  return {
    name,
    outages: new Map(classes.map((of) => [of, gap(of)])),
    failures: new Map(classes.map((of) => [of, failed(of)])),
  };
}

const seconds = (ms: number) => (ms / 1000).toFixed(1);
const textOf = ({ name, outages, failures }: Outcome) =>
  `${name}: ${classes.map((of) => `${of} ${seconds(outages.get(of)!)} s, ${failures.get(of)} failed`).join('; ')}`;

/** Median and longest of each kind. */
function summary(): string[] {
  const names = [...new Set(outcomes.map(({ name }) => name))].sort();
  return names.map((name) => {
    const its = outcomes.filter((one) => one.name === name);
    const figures = classes.map((of) => {
      const sorted = its.map(({ outages }) => outages.get(of)!).sort((a, b) => a - b);
      const failed = its.reduce((sum, { failures }) => sum + failures.get(of)!, 0);
      return `${of} ${seconds(sorted[Math.floor(sorted.length / 2)]!)} ${seconds(sorted.at(-1)!)} (${failed} failed)`;
    });
    return `${name}, ${its.length} rounds: ${figures.join('; ')}`;
  });
}

test.each(plan())('$name: few requests fail, and nothing acknowledged is lost', async ({ kind, which }) => {
  const letters = nextLetters();
  await postgres.ensureStandby();
  const clients = startClients(letters);
  let [brokenAt, repairedAt] = [Number.NaN, Number.NaN];
  let repair = async () => {};
  try {
    await clients.untilMore();
    brokenAt = performance.now();
    repair = await kind.begin(which);
    await clients.untilMore();
  } finally {
    await repair();
    await untilReady();
    repairedAt = performance.now();
    await clients.untilMore().finally(clients.end);
  }
  const { answered } = clients;
  const outcome = outcomeOf(kind.name, answered);
  outcomes.push(outcome);
  console.log(textOf(outcome));
  const failed = answered.filter((one) => !isAnswered(one) && !wasDuringStall(stalls, one));
  const isDuring = ({ at }: Answered) => brokenAt < at && at < repairedAt;
  expect(failed.filter((one) => !isDuring(one) || !kind.mayFail(one))).toEqual([]);
  // Each client has one request in flight.
  if (kind.group === 'killed' || kind.group === 'hung') expect(failed.length).toBeLessThanOrEqual(clients.count);
  await expectAllStored(answered);
  await expectGapless();
  await expectFollowers(`${letters}W1-TEST`);
});

test('afterwards the index has the same persons as the registry', async () => {
  await eventually(async () => expect(await indexedPersons()).toEqual(await registeredPersons()), 180_000);
});

/** All that EXAMPLE-MNT maintains, by pages. */
async function indexedPersons(): Promise<string[]> {
  const found: string[] = [];
  const query = 'query-string=EXAMPLE-MNT&inverse-attribute=mnt-by&type-filter=person&flags=r&limit=1000';
  for (let path: string | undefined = `/search.txt?${query}`; path !== undefined; ) {
    const { status, text, headers }: Answer = await rest(path);
    expect(status).toBe(200);
    found.push(...[...text.matchAll(/^nic-hdl: +(\S+)/gm)].map(([, key]) => key!.toLowerCase()));
    path = String(headers.link ?? '').match(/^<https:\/\/[^/]+(.*)>; rel="next"/)?.[1];
  }
  return found.sort();
}

async function registeredPersons(): Promise<string[]> {
  const { rows } = await postgres.query(
    "select key from objects.object where not deleted and text ~ '\\mnic-hdl: ' and text ~* '\\mmnt-by: +EXAMPLE-MNT\\M' and text ~ '^person:'",
  );
  return rows.map(({ key }) => key).sort();
}

async function untilReady(): Promise<void> {
  const isReady = async ({ operations }: Replica) => (await fetch(`http://${operations}/ready`)).status === 200;
  await eventually(async () => {
    expect(await Promise.all(Object.values(cluster.replicas).flat().map(isReady))).not.toContain(false);
    expect(balancer.inUse()).toEqual(cluster.gateways);
  }, 180_000);
}

test('a write whose wait for the standby was cancelled is not acknowledged', async () => {
  await postgres.ensureStandby();
  const waiting = "pg_stat_activity where wait_event = 'SyncRep' and application_name = 'cadastre-objects-store'";
  const release = postgres.holdStandby();
  try {
    const { create } = whoisClient(once, cluster.credential);
    const write = create('person', personText('Lonely Writer', `${nextLetters()}L1-TEST`));
    await eventually(async () => expect((await postgres.query(`select 1 from ${waiting}`)).rowCount).toBe(1));
    await postgres.query(`select pg_cancel_backend(pid) from ${waiting}`);
    expect((await write).status).toBe(503);
  } finally {
    release();
  }
});

/** No acknowledged write is lost; no write was done twice. */
async function expectAllStored(answered: readonly Answered[]): Promise<void> {
  const made = answered.filter((one) => one.writes !== undefined);
  const keys = made.map(({ writes }) => `'${writes!.toLowerCase()}'`).join();
  const { rows } = await postgres.query(
    `select key, count(*)::integer as changes from objects.change where key in (${keys}) group by key`,
  );
  const changes = new Map(rows.map((row) => [row.key, row.changes]));
  const lost = made.filter((one) => isAnswered(one) && !changes.has(one.writes!.toLowerCase()));
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
    180_000,
  );
  const street = async () => values(objectOf(await whois.lookup('person', key)), 'address')[0];
  expect([await street(), await street()]).toEqual(['Example Street 9', 'Example Street 9']);
  const changed = await whois.update('person', key, text.replace('Street 9', 'Street 10'));
  expect(changed.status).toBe(200);
  expect(await street()).toBe('Example Street 10');
}
