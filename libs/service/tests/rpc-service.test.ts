import { AuthenticationServiceService } from '@cadastre/proto/auth';
import { HealthService, HealthCheckResponse_ServingStatus as Serving } from '@cadastre/proto/health';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  baseSettings,
  connect,
  createMetrics,
  createRpcService,
  implement,
  readSettings,
  rpcSettings,
} from '../src/index.js';
import { testLogger } from './testing.js';

let broken = true;
let released = false;
const settings = {
  ...readSettings({ ...baseSettings, ...rpcSettings }, {}),
  listen: '127.0.0.1:0',
  operations: '127.0.0.1:0',
};
const service = createRpcService({
  name: 'test',
  settings,
  logger: testLogger(),
  metrics: createMetrics('test'),
  tls: undefined,
  implementations: [
    implement(AuthenticationServiceService, {
      authenticate: async () => ({ outcome: 1, messages: [] }),
      async *watchCredentials() {},
    }),
  ],
  allowedCallers: {},
  checks: {
    database: async () => {
      if (broken) throw new Error('away');
    },
  },
  checkIntervalMs: 20,
  release: async () => {
    released = true;
  },
});
beforeAll(() => service.start());
afterAll(async () => {
  await service.stop();
  expect(released).toBe(true);
});

test('health by gRPC follows the checks, for the server and for each of its services', async () => {
  const address = service.address();
  const health = connect(HealthService, { address, deadlineMs: 60_000 });
  const own = 'cadastre.auth.v1.AuthenticationService';
  const check = async (service: string) => (await health.check({ service })).status;
  const watched = health.watch({ service: own })[Symbol.asyncIterator]();
  const next = async () => (await watched.next()).value?.status;
  expect(await check('')).toBe(Serving.NOT_SERVING);
  expect(await next()).toBe(Serving.NOT_SERVING);
  broken = false;
  await expect.poll(() => check('')).toBe(Serving.SERVING);
  expect(await next()).toBe(Serving.SERVING);
  expect(await check(own)).toBe(Serving.SERVING);
  const serving = { status: Serving.SERVING };
  expect((await health.list({})).statuses).toEqual({ '': serving, [own]: serving });
  await expect(check('cadastre.no.v1.Service')).rejects.toMatchObject({ kind: 'not-found' });
  const unknown = health.watch({ service: 'cadastre.no.v1.Service' })[Symbol.asyncIterator]();
  expect((await unknown.next()).value).toEqual({ status: Serving.SERVICE_UNKNOWN });
  await Promise.all([watched, unknown].map((stream) => stream.return?.(undefined)));
  health.close();
});

test('a thousand callers may watch the health; one more is refused, until one leaves', async () => {
  // The pings of a busy process may be late, which counts as a hung replica.
  const slowKeepalive = { timeMs: 30_000, timeoutMs: 30_000 };
  const health = connect(HealthService, {
    ...{ address: service.address(), deadlineMs: 80_000, keepalive: slowKeepalive },
  });
  const watch = () => health.watch({ service: '' })[Symbol.asyncIterator]();
  const watching = Array.from({ length: 1_000 }, watch);
  await Promise.all(watching.map((stream) => stream.next()));
  await expect(watch().next()).rejects.toMatchObject({ kind: 'exhausted' });
  await watching[0]!.return?.(undefined);
  await expect
    .poll(() =>
      watch()
        .next()
        .then(
          () => 'watches',
          ({ kind }) => kind,
        ),
    )
    .toBe('watches');
  await Promise.all(watching.map((stream) => stream.return?.(undefined)));
  health.close();
});

test.each([
  ['refused where other machines reach it', { listen: '0.0.0.0:0' }, false],
  ['accepted on a unix socket', { listen: 'unix:/run/x.sock' }, true],
  ['accepted on the loopback interface', { listen: '127.0.0.1:0' }, true],
  ['accepted when the operator says so', { listen: '0.0.0.0:0', plaintext: true }, true],
] as const)('a production service without certificates is %s', (_, change, accepted) => {
  const create = () =>
    createRpcService({
      name: 'test',
      settings: { ...settings, environment: 'production', ...change },
      logger: testLogger(),
      metrics: createMetrics('test'),
      tls: undefined,
      implementations: [],
      allowedCallers: {},
      checks: {},
      release: async () => {},
    });
  if (accepted) expect(create).not.toThrow();
  else expect(create).toThrow('CADASTRE_TLS_CERT_FILE');
});
