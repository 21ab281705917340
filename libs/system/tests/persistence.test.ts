import { spawnSync } from 'node:child_process';
import { chown, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isSkipped } from '@cadastre/service/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from './harness/eventually.js';
import { descendants, stillAlive } from './harness/processes.js';
import { restClient } from './harness/rest.js';
import {
  asUser,
  emptyDirectory,
  freshDirectory,
  inOneProcess,
  type RunningSystem,
  runSystem,
  startSupervisor,
  untilReady,
} from './harness/run-system.js';
import { objectOf, values, whoisClient } from './harness/whois.js';

// One system that starts, stops, is killed and starts again: the tests depend on their order.
// Starting the whole system takes longer on a busy machine.
vi.setConfig({ testTimeout: 400_000 });

let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;

const person = `person:         Paula Persistent
address:        Example Street 9
phone:          +31 20 555 0109
e-mail:         person@example.net
nic-hdl:        PP1-TEST
mnt-by:         EXAMPLE-MNT
source:         TEST
`;

beforeAll(async () => {
  data = await freshDirectory();
  system = await runSystem(data.directory);
});

afterAll(async () => {
  await system?.stop();
  await data.remove();
});

async function lookupPerson(): Promise<string[]> {
  const rest = restClient(system);
  const answer = await whoisClient(rest, system.credential).lookup('person', 'PP1-TEST');
  rest.close();
  return values(objectOf(answer), 'person');
}

test('only their owner may read files with secrets', async () => {
  const modes = await Promise.all(
    ['run.json', 'api-key.json'].map(async (name) => (await stat(join(data.directory, name))).mode & 0o777),
  );
  expect(modes).toEqual([0o600, 0o600]);
});

test('a second start on the same data is refused in one clear line', async () => {
  const second = startSupervisor(data.directory);
  expect(await second.exited).toBe(1);
  expect(second.output()).toBe(
    `A registry is already running with the data in ${data.directory}. Stop it, or set CADASTRE_DATA_DIR.\n`,
  );
});

test('a taken port is refused in one clear line that names it', async () => {
  const other = await emptyDirectory();
  const port = new URL(system.https).port;
  const second = startSupervisor(other.directory, { CADASTRE_HTTPS_PORT: port });
  expect(await second.exited).toBe(1);
  expect(second.output()).toBe(
    `Port ${port} is in use. Set CADASTRE_HTTPS_PORT to another one (0 chooses a free one).\n`,
  );
  await other.remove();
});

test('Ctrl-C ends every process and removes run.json', async () => {
  const rest = restClient(system);
  expect((await whoisClient(rest, system.credential).create('person', person)).status).toBe(200);
  rest.close();
  const processes = descendants(system.pid);
  expect(processes.length).toBeGreaterThan(6);
  // A terminal sends the signal to the whole group.
  process.kill(-system.pid, 'SIGINT');
  expect(await system.exited).toBe(0);
  expect(stillAlive(processes)).toEqual([]);
  await expect(readFile(join(data.directory, 'run.json'))).rejects.toThrow('ENOENT');
});

test('a start on existing data has everything, and the same API key', async () => {
  const credential = system.credential;
  system = await runSystem(data.directory);
  expect(await lookupPerson()).toEqual(['Paula Persistent']);
  expect(system.credential).toBe(credential);
  expect(system.output()).not.toContain('sample objects into');
});

test('when the supervisor is killed, everything ends, and the next start has everything', async () => {
  const processes = descendants(system.pid);
  system.signal('SIGKILL');
  await system.exited;
  await eventually(() => expect(stillAlive(processes)).toEqual([]));
  system = await runSystem(data.directory, inOneProcess);
  expect(await lookupPerson()).toEqual(['Paula Persistent']);
});

test('a second Ctrl-C ends everything at once', async () => {
  const processes = descendants(system.pid);
  system.signal('SIGINT');
  system.signal('SIGINT');
  await system.exited;
  await eventually(() => expect(stillAlive(processes)).toEqual([]));
  system = await runSystem(data.directory, inOneProcess);
  expect(await lookupPerson()).toEqual(['Paula Persistent']);
});

test('Ctrl-C during the start ends every process', async () => {
  await system.stop();
  const starting = startSupervisor(data.directory);
  await eventually(() => expect(starting.output()).toContain('Starting the services'));
  const processes = descendants(starting.child.pid!);
  starting.child.kill('SIGINT');
  expect(await starting.exited).toBe(0);
  // A service that is not ready yet is killed; on a busy machine it ends after the supervisor.
  await eventually(() => expect(stillAlive(processes)).toEqual([]));
  system = await runSystem(data.directory, inOneProcess);
});

test('a bad setting is refused in one clear line', async () => {
  const other = await emptyDirectory();
  const started = startSupervisor(other.directory, { CADASTRE_HTTP_PORT: 'eighty' });
  expect([await started.exited, started.output()]).toEqual([1, expect.stringMatching(/^CADASTRE_HTTP_PORT: .*\n$/)]);
  await other.remove();
});

test('--help explains the settings and starts nothing', () => {
  const [node = '', ...args] = asUser(0).slice(-2);
  const { status, stdout } = spawnSync(node, [...args, '--help'], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, expect.stringContaining('CADASTRE_HTTPS_PORT')]);
});

const nobody = 65_534;
const mayRunAsNobody =
  process.getuid?.() === 0 && spawnSync(asUser(nobody)[0]!, [...asUser(nobody).slice(1), '--help']).status === 0;

const cannotSwitch = isSkipped(
  'a user without privileges can run it',
  mayRunAsNobody ? [] : ['the right to switch users'],
  {
    isOptional: true,
  },
);

test.skipIf(cannotSwitch)('a user without privileges can run it', async () => {
  const other = await emptyDirectory();
  await chown(other.directory, nobody, nobody);
  const started = startSupervisor(other.directory, inOneProcess, asUser(nobody));
  await untilReady(started);
  const processes = descendants(started.child.pid!);
  started.child.kill('SIGTERM');
  expect(await started.exited).toBe(0);
  expect(stillAlive(processes)).toEqual([]);
  await other.remove();
});
