import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Cluster, replicated, startCluster } from './harness/cluster.js';
import { eventually } from './harness/eventually.js';
import { type Stalls, watchStalls } from './harness/stalls.js';
import { type Answered, createClusterClient, startTraffic, wasDuringStall } from './harness/traffic.js';

// Ten processes start one after the other on a busy machine.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

let cluster: Cluster;
let stalls: Stalls;
beforeAll(async () => {
  cluster = await startCluster();
  stalls = watchStalls();
});
afterAll(async () => {
  stalls?.stop();
  await cluster?.stop();
});

/** Number of the test, from 0: each writes its own objects. */
let tests = -1;
beforeEach(() => {
  tests++;
});

/** What the clients of a test have seen. */
interface Seen {
  readonly reads: Answered[];
  readonly writes: Answered[];
}

const refusedIn = (answered: readonly Answered[]) =>
  answered.filter((one) => one.status !== 200 && !wasDuringStall(stalls, one));
const longestOf = (answered: readonly Answered[]) => Math.max(0, ...answered.map(({ milliseconds }) => milliseconds));

/** The load balancer takes a hung gateway out; the clients of the others must not notice. */
const usedGateways = (service: string) => (service === 'gateway' ? cluster.gateways.slice(1) : cluster.gateways);

test.each(replicated)('while a replica of %s hangs, no read fails, and few writes do', async (service) => {
  const seen: Seen = { reads: [], writes: [] };
  const gateways = usedGateways(service);
  const onAnswered = (one: Answered) => (one.writes === undefined ? seen.reads : seen.writes).push(one);
  const letters = ['X', 'Y', 'Z'];
  const ends = letters.map((letter) =>
    startTraffic(createClusterClient(cluster, gateways), `H${letter}${'ABCDEFGHIJ'[tests]}`, onAnswered),
  );
  const untilMore = async () => {
    const counts = [seen.reads.length, seen.writes.length] as const;
    await eventually(() => {
      expect(seen.reads.length).toBeGreaterThan(counts[0] + 100);
      expect(seen.writes.length).toBeGreaterThan(counts[1] + 50);
    }, 180_000);
  };
  await untilMore();
  expect([refusedIn(seen.reads), refusedIn(seen.writes)]).toEqual([[], []]);
  const hung = cluster.replicas[service][0]!.pid();
  process.kill(hung, 'SIGSTOP');
  try {
    await untilMore();
  } finally {
    process.kill(hung, 'SIGCONT');
  }
  await untilMore();
  await Promise.all(ends.map((end) => end()));
  const refused = refusedIn(seen.writes);
  console.info(
    `${service} hung: ${refused.length} of ${seen.writes.length} writes failed; the longest read took ` +
      `${longestOf(seen.reads)} ms, the longest write ${longestOf(seen.writes)} ms`,
  );
  expect(refusedIn(seen.reads)).toEqual([]);
  // A gateway notices once, for all its requests; until then each client has one write in flight.
  expect(refused.length).toBeLessThanOrEqual(letters.length * gateways.length);
  expect(refused.filter(({ status }) => status !== 503)).toEqual([]);
  await expectOnce(seen.writes);
});

/** An acknowledged write was made once; a failed one may have been made. */
async function expectOnce(writes: readonly Answered[]): Promise<void> {
  const client = createClusterClient(cluster);
  for (const { writes: key, status } of writes) {
    const answer = await client.send(`/TEST/person/${key}/versions`);
    if (status !== 200 && answer.status === 404) continue;
    expect(JSON.parse(answer.text).versions.version, key).toHaveLength(1);
  }
  client.close();
}
