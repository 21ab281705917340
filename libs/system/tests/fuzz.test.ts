import { samples } from '@cadastre/rpsl';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fuzz } from './fuzz/fuzz-run.js';
import { gatewayState } from './fuzz/gateway-state.js';
import { eventually } from './harness/eventually.js';
import { freePort } from './harness/free-port.js';
import { newObjects } from './harness/new-objects.js';
import { restClient } from './harness/rest.js';
import { freshDirectory, type RunningSystem, runSystem } from './harness/run-system.js';

const seed = Number(process.env.FUZZ_SEED ?? Math.floor(Math.random() * 2 ** 31));
const requests = Number(process.env.FUZZ_REQUESTS ?? 50_000);
/** After so many the caches are filled and the code is compiled. */
const warm = Math.ceil(requests / 5);

let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;
let operations: string;

beforeAll(async () => {
  data = await freshDirectory();
  operations = `127.0.0.1:${await freePort()}`;
  system = await runSystem(data.directory, {
    CADASTRE_GATEWAY_OPERATIONS: operations,
    // What limits clients, or sends them away when the machine is busy, has tests of its own.
    CADASTRE_LIMITS_EXEMPT: '127.0.0.0/8',
    CADASTRE_GATEWAY_EVENT_LOOP_DELAY: '60s',
    CADASTRE_GATEWAY_READ_DEADLINE: '50s',
    CADASTRE_GATEWAY_WRITE_DEADLINE: '50s',
    CADASTRE_GATEWAY_SEARCH_DEADLINE: '50s',
  });
});

afterAll(async () => {
  await system?.stop();
  await data.remove();
});

it(`answers ${requests} mutated requests without a failure of its own, a hang or a leak (seed ${seed})`, async () => {
  const rest = restClient(system);
  const description = JSON.parse((await rest('/openapi.json')).text);
  rest.close();
  const material = {
    credential: system.credential,
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
  const run = { seed, https: system.https, http: system.http, description, material };
  console.log(`fuzz: FUZZ_SEED=${seed} FUZZ_REQUESTS=${requests}`);
  const first = await fuzz({ ...run, from: 0, to: warm });
  expect(first.failures.join('\n\n')).toBe('');
  const before = await gatewayState(operations);
  const remaining = await fuzz({ ...run, from: warm, to: requests });
  expect(remaining.failures.join('\n\n')).toBe('');
  const answered = [...first.statuses, ...remaining.statuses].reduce((sum, [, count]) => sum + count, 0);
  console.log('fuzz: statuses', Object.fromEntries(remaining.statuses));
  expect(answered).toBeGreaterThan(requests * 0.9);
  // Connections end, and garbage goes, in their own time.
  await eventually(async () => {
    const after = await gatewayState(operations);
    expect(after.process).toBe(before.process);
    expect(after.openFiles).toBeLessThanOrEqual(before.openFiles + 10);
    expect(after.activeResources).toBeLessThanOrEqual(before.activeResources + 10);
    expect(after.heapBytes).toBeLessThanOrEqual(before.heapBytes + 96 * 1024 * 1024);
  }, 90_000);
}, 600_000);
