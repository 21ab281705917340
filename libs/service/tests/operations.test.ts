import { afterEach, expect, test } from 'vitest';
import { createMetrics, createOperationsServer, type OperationsServer } from '../src/index.js';
import { testLogger } from './testing.js';

let server: OperationsServer;
afterEach(() => server.stop());

async function start(
  check: () => Promise<void>,
  onReadiness: (ready: boolean) => void = () => {},
  degradations: () => string[] = () => [],
  address = '127.0.0.1:0',
): Promise<string> {
  server = createOperationsServer({
    address,
    checks: { database: check },
    degradations,
    metrics: createMetrics('test'),
    logger: testLogger(),
    intervalMs: 20,
    onReadiness,
  });
  await server.start();
  return `http://${server.address()}`;
}

async function get(url: string): Promise<[number, string]> {
  const response = await fetch(url);
  return [response.status, await response.text()];
}

test('an unavailable optional dependency is named, and the service stays ready', async () => {
  const base = await start(
    async () => {},
    () => {},
    () => ['redis', 'block list'],
  );
  expect(await get(`${base}/ready`)).toEqual([200, 'ready, but degraded: redis, block list\n']);
});

test.each(['127.0.0.1', '[::1]'])('on [::] it answers at %s', async (host) => {
  const base = await start(async () => {}, undefined, undefined, '[::]:0');
  expect(await get(`${base.replace('[::]', host)}/live`)).toEqual([200, 'live\n']);
});

test('a service whose checks pass is live and ready', async () => {
  const base = await start(async () => {});
  expect(await get(`${base}/live`)).toEqual([200, 'live\n']);
  expect(await get(`${base}/ready`)).toEqual([200, 'ready\n']);
  expect((await get(`${base}/nothing`))[0]).toBe(404);
});

test('metrics carry the name of the service', async () => {
  const [status, text] = await get(`${await start(async () => {})}/metrics`);
  expect(status).toBe(200);
  expect(text).toMatch(/^process_cpu_user_seconds_total\{service="test"\}/m);
  // Reading the handles can end the process (libs/service/src/metrics.ts).
  expect(text).not.toMatch(/^nodejs_active_(handles|requests)/m);
});

test('a failing check is named without its reason, and recovery is noticed', async () => {
  let broken = true;
  const seen: boolean[] = [];
  const base = await start(
    async () => {
      if (broken) throw new Error('password wrong');
    },
    (ready) => seen.push(ready),
  );
  expect(await get(`${base}/ready`)).toEqual([503, 'not ready: database\n']);
  expect((await get(`${base}/live`))[0]).toBe(200);
  broken = false;
  await expect.poll(() => get(`${base}/ready`)).toEqual([200, 'ready\n']);
  expect(seen).toEqual([false, true]);
});

test('a draining service is not ready, and still responds and checks', async () => {
  let checks = 0;
  const base = await start(async () => void checks++);
  server.drain();
  const before = checks;
  expect(await get(`${base}/ready`)).toEqual([503, 'not ready: stop\n']);
  expect((await get(`${base}/live`))[0]).toBe(200);
  await expect.poll(() => checks).toBeGreaterThan(before + 1);
  expect(await get(`${base}/ready`)).toEqual([503, 'not ready: stop\n']);
});

test('a check that never returns fails', async () => {
  const base = await start(() => new Promise(() => {}));
  expect((await get(`${base}/ready`))[0]).toBe(503);
});

test('a start check makes the service not ready until it has passed, and degrades it later', async () => {
  let broken = true;
  const metrics = createMetrics('test');
  server = createOperationsServer({
    address: '127.0.0.1:0',
    checks: {},
    startChecks: {
      async sets() {
        if (broken) throw new Error('not complete');
      },
    },
    metrics,
    metricsText: async () => `${await metrics.metrics()}other 1\n`,
    logger: testLogger(),
    intervalMs: 20,
  });
  await server.start();
  const base = `http://${server.address()}`;
  expect(await get(`${base}/ready`)).toEqual([503, 'not ready: sets\n']);
  broken = false;
  await expect.poll(() => get(`${base}/ready`)).toEqual([200, 'ready\n']);
  broken = true;
  await expect.poll(() => get(`${base}/ready`)).toEqual([200, 'ready, but degraded: sets\n']);
  const [, text] = await get(`${base}/metrics`);
  expect(text).toMatch(/^cadastre_check_up\{check="sets",service="test"\} 0$/m);
  expect(text).toMatch(/^other 1$/m);
  broken = false;
  await expect.poll(() => get(`${base}/ready`)).toEqual([200, 'ready\n']);
});
