import { samples } from '@cadastre/rpsl';
import { reservePort } from '@cadastre/service';
import { afterAll, afterEach, beforeAll, expect, inject, it } from 'vitest';
import { selfSignedClient } from '../../../services/gateway/tests/client-identity.fixture.js';
import { overHttp1 } from './fuzz/exchanges.js';
import { type FuzzResult, fuzz } from './fuzz/fuzz-run.js';
import { gatewayState } from './fuzz/gateway-state.js';
import { eventually } from './harness/eventually.js';
import { newObjects } from './harness/new-objects.js';
import { restClient } from './harness/rest.js';
import { defaultLimits, freshDirectory, type RunningSystem, runSystem } from './harness/run-system.js';

const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
const requests = Number(process.env.FUZZ_REQUESTS ?? inject('counts').fuzzRequests);
/** After this many requests the caches are full and the code is compiled. */
const warm = Math.ceil(requests / 5);
/** From here on with limits and overload protection. */
const limited = Math.ceil(requests * 0.8);
const identity = await selfSignedClient('fuzz');

const timeout = 1_200_000;

let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem | undefined;
let operations: string;

beforeAll(async () => {
  data = await freshDirectory();
  operations = `127.0.0.1:${await reservePort()}`;
  console.log(`fuzz: FUZZ_SEED=${seed} FUZZ_REQUESTS=${requests}`);
});

afterEach(async () => {
  await system?.stop();
  system = undefined;
});

afterAll(() => data.remove());

it(`answers ${limited} mutated requests without an internal error, a hang or a leak (seed ${seed})`, {
  timeout,
}, async () => {
  const unlimited = {
    // The other test has limits and overload protection.
    CADASTRE_LIMITS: '127.0.0.0/8 exempt',
    CADASTRE_GATEWAY_EVENT_LOOP_DELAY: '60s',
    CADASTRE_GATEWAY_DEADLINES: 'read=50s write=50s search=50s',
  };
  const run = { ...(await start(unlimited)), localAddresses: ['127.0.0.1'], mayBeSentAway: false };
  const first = await fuzz({ ...run, from: 0, to: warm });
  expect(first.failures.join('\n\n')).toBe('');
  const before = await gatewayState(operations);
  const remaining = await fuzz({ ...run, from: warm, to: limited });
  expect(remaining.failures.join('\n\n')).toBe('');
  console.log('fuzz: statuses', Object.fromEntries(remaining.statuses));
  expect(answersOf(first) + answersOf(remaining)).toBeGreaterThan(limited * 0.9);
  // Connections close, and garbage is collected, asynchronously.
  await eventually(async () => {
    const after = await gatewayState(operations);
    expect(after.process).toBe(before.process);
    expect(after.openFiles).toBeLessThanOrEqual(before.openFiles + 10);
    expect(after.activeResources).toBeLessThanOrEqual(before.activeResources + 10);
    expect(after.heapBytes).toBeLessThanOrEqual(before.heapBytes + 96 * 1024 * 1024);
  }, 180_000);
});

it(`refuses clients correctly in ${requests - limited} more with limits and overload`, { timeout }, async () => {
  // Some clients stay within their limits for a while. The first one, which sends a third of all, does not, however
  // slow the machine is.
  const others = Array.from({ length: 40 }, (_, n) => `127.0.1.${n + 1}`);
  const localAddresses = [...Array<string>(20).fill('127.0.0.1'), ...others];
  const tight = {
    ...defaultLimits,
    CADASTRE_LIMITS: 'queries=5 updates=2',
    // Fewer than the run sends concurrently.
    CADASTRE_GATEWAY_CONCURRENT: 'requests=8',
  };
  const run = { ...(await start(tight)), localAddresses, mayBeSentAway: true };
  const before = await gatewayState(operations);
  const result = await fuzz({ ...run, from: limited, to: requests });
  expect(result.failures.join('\n\n')).toBe('');
  console.log('fuzz: statuses with limits', Object.fromEntries(result.statuses));
  expect(answersOf(result)).toBeGreaterThan((requests - limited) * 0.9);
  for (const status of [200, 429, 503]) expect(result.statuses.get(status), String(status)).toBeGreaterThan(0);
  // A well-behaved client is served immediately, by the same process.
  const friendly = overHttp1(true, {
    port: Number(new URL(run.https).port),
    localAddress: '127.0.2.1',
    ...oneConnection,
  });
  const request = { method: 'GET', target: '/TEST/mntner/EXAMPLE-MNT', headers: {}, body: undefined };
  await eventually(async () => expect((await friendly.exchange(request))?.status).toBe(200));
  friendly.close();
  expect((await gatewayState(operations)).process).toBe(before.process);
});

const oneConnection = { connections: 1, deadlineMs: 60_000 };

/** Starts a system, and returns what a run must know about it. */
async function start(settings: Record<string, string>) {
  system = await runSystem(data.directory, { CADASTRE_OPERATIONS: operations, ...settings });
  const { https, http, certHttps, credential } = system;
  const rest = restClient(system);
  const description = JSON.parse((await rest('/openapi.json')).text);
  rest.close();
  const material = {
    credential,
    texts: [...newObjects.map(({ text }) => text), ...Object.values(samples)],
    names: [
      ...newObjects.map(({ type, key }) => ({ type, key: decodeURIComponent(key) })),
      { type: 'mntner', key: 'EXAMPLE-MNT' },
      { type: 'person', key: 'AE1-TEST' },
      { type: 'inetnum', key: '192.0.2.0 - 192.0.2.255' },
      { type: 'route', key: '192.0.2.0/24AS64500' },
      { type: 'aut-num', key: 'AS64500' },
    ],
  };
  return { seed, https, http, certHttps, identity, description, material };
}

function answersOf({ statuses }: FuzzResult): number {
  return [...statuses.values()].reduce((sum, count) => sum + count, 0);
}
