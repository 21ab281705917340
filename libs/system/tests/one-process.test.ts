import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { connect as connectTo } from 'node:net';
import { join } from 'node:path';
import { HealthService, HealthCheckResponse_ServingStatus as Serving } from '@cadastre/proto/health';
import { connect } from '@cadastre/service';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from './harness/eventually.js';
import { descendants, stillAlive } from './harness/processes.js';
import { type Rest, restClient } from './harness/rest.js';
import { freshDirectory, inOneProcess, type RunningSystem, runSystem } from './harness/run-system.js';

// All services in one process, except search, which its flags give a process of its own. The tests depend on their order.
// Starting takes longer on a busy machine.
vi.setConfig({ testTimeout: 400_000 });

let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;
let rest: Rest & { close(): void };

beforeAll(async () => {
  data = await freshDirectory();
  system = await runSystem(data.directory, {
    ...inOneProcess,
    CADASTRE_MIRROR_PUBLISH: 'TEST',
    CADASTRE_NODE_FLAGS: 'search=--max-http-header-size=16000',
  });
  rest = restClient(system);
});

afterAll(async () => {
  rest?.close();
  await system?.stop();
  await data.remove();
});

/** The programs of the processes, without PostgreSQL. */
const programs = () =>
  descendants(system.pid).flatMap(({ pid, command }) => {
    const [, program] = /(?:services|libs)\/(\w+\/dist\/[\w-]+\.js)/.exec(command) ?? [];
    return program === undefined ? [] : [{ pid, program }];
  });

const requests = {
  objects: '/TEST/mntner/EXAMPLE-MNT.json',
  search: '/search.json?source=TEST&query-string=EXAMPLE-MNT',
  geolocation: '/geolocation.json?ipkey=192.0.2.1',
  mirror: '/nrtmv4/TEST/update-notification-file.jose',
};

const statuses = async () => {
  const all = Object.entries(requests).map(async ([name, path]) => [name, (await rest(path)).status] as const);
  return Object.fromEntries(await Promise.all(all));
};

test('the processes are as the settings say', () => {
  expect(
    programs()
      .map(({ program }) => program)
      .sort(),
  ).toEqual(['search/dist/main.js', 'system/dist/services-main.js']);
});

/** The packages of the contracts that a gRPC address serves. */
async function packagesAt(address: string): Promise<string[]> {
  const health = connect(HealthService, { address, deadlineMs: 60_000 });
  const { statuses } = await health.list({}).finally(() => health.close());
  expect(Object.values(statuses).every(({ status }) => status === Serving.SERVING)).toBe(true);
  return [...new Set(Object.keys(statuses).map((service) => service.replace(/\.\w+$/, '')))].filter(Boolean);
}

async function statusAt(address: string): Promise<number> {
  const client = restClient({ ...system, http: address, https: address });
  const { status } = await client(requests.objects, { plain: address.startsWith('http:') }).finally(client.close);
  return status;
}

async function whoisAt(address: string): Promise<string> {
  const { hostname, port } = new URL(`whois://${address}`);
  const socket = connectTo(Number(port), hostname);
  socket.write('-q version\n');
  const [answer] = await once(socket, 'data');
  socket.destroy();
  return String(answer);
}

test('each address in run.json answers, and by the service that it names', async () => {
  const { pid, certificate, ...addresses } = JSON.parse(await readFile(join(data.directory, 'run.json'), 'utf8'));
  expect([pid, await readFile(certificate, 'utf8')]).toEqual([system.pid, expect.stringContaining('CERTIFICATE')]);
  const answer = (address: string) => {
    if (address.startsWith('unix:')) return packagesAt(address);
    return address.startsWith('http') ? statusAt(address) : whoisAt(address);
  };
  await eventually(async () => {
    const answers = Object.entries<string>(addresses).map(async ([name, one]) => [name, await answer(one)] as const);
    expect(Object.fromEntries(await Promise.all(answers))).toEqual({
      objects: ['cadastre.objects.v1'],
      auth: ['cadastre.auth.v1'],
      search: ['cadastre.search.v1', 'cadastre.geo.v1'],
      events: ['cadastre.events.v1'],
      whoisRpc: ['cadastre.whois.v1'],
      mirror: ['cadastre.mirror.v1'],
      http: 200,
      https: 200,
      certHttps: 200,
      whois: expect.stringMatching(/^% /),
    });
  });
});

test('each service has a log of its own', async () => {
  const names = await readdir(join(data.directory, 'logs'));
  expect(names.sort()).toEqual(
    ['auth', 'events', 'gateway', 'identity-provider', 'mirror', 'objects', 'search', 'services', 'whois'].map(
      (name) => `${name}.log`,
    ),
  );
  const events = (await readFile(join(data.directory, 'logs', 'search.log'), 'utf8')).trimEnd().split('\n');
  expect(new Set(events.map((line) => JSON.parse(line).service))).toEqual(new Set(['search']));
});

test('when the process is killed, it is started again with every service', async () => {
  const { pid } = programs().find(({ program }) => program.includes('services-main'))!;
  await eventually(async () =>
    expect(await statuses()).toEqual({ objects: 200, search: 200, geolocation: 200, mirror: 200 }),
  );
  process.kill(pid, 'SIGKILL');
  await eventually(() => expect(system.output()).toContain('services was killed (SIGKILL); starting it again'));
  await eventually(
    async () => expect(await statuses()).toEqual({ objects: 200, search: 200, geolocation: 200, mirror: 200 }),
    180_000,
  );
});

test('a service that cannot start is reported with the log that says why', async () => {
  const other = await freshDirectory();
  const settings = { ...inOneProcess, CADASTRE_UNLIMITED_NETWORKS: 'nowhere' };
  await expect(runSystem(other.directory, settings)).rejects.toThrow(
    /did not start; its log is .*services\.log\n.*CADASTRE_UNLIMITED_NETWORKS: /s,
  );
  await other.remove();
});

test('Ctrl-C ends every process in order, also when nobody reads the output any more', async () => {
  const processes = descendants(system.pid);
  system.closeOutput();
  process.kill(-system.pid, 'SIGINT');
  expect(await system.exited).toBe(0);
  expect(stillAlive(processes)).toEqual([]);
});

test('when the supervisor is killed, everything ends', async () => {
  system = await runSystem(data.directory, inOneProcess);
  const processes = descendants(system.pid);
  system.signal('SIGKILL');
  await eventually(() => expect(stillAlive(processes)).toEqual([]));
});
