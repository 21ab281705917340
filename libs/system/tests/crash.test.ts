import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from './harness/eventually.js';
import { personText } from './harness/person-text.js';
import { descendants } from './harness/processes.js';
import { type Rest, restClient } from './harness/rest.js';
import { freshDirectory, type RunningSystem, runSystem } from './harness/run-system.js';
import { objectOf, values, type WhoisClient, whoisClient } from './harness/whois.js';

// Starting the whole system takes longer on a busy machine.
vi.setConfig({ testTimeout: 400_000 });

let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;
let rest: Rest & { close(): void };
let whois: WhoisClient;
/** Sends each request once. */
let once: Rest & { close(): void };

beforeAll(async () => {
  data = await freshDirectory();
  system = await runSystem(data.directory);
  rest = restClient(system);
  whois = whoisClient(rest, system.credential);
  once = restClient(system, { repeats: false });
});

afterAll(async () => {
  rest?.close();
  once?.close();
  await system?.stop();
  await data.remove();
});

const victims = [
  ['gateway', 'services/gateway/dist/main.js'],
  ['objects', 'services/objects/dist/main.js'],
  ['auth', 'services/auth/dist/main.js'],
  ['search', 'services/search/dist/main.js'],
  ['identity-provider', 'identity-provider'],
  ['PostgreSQL', 'bin/postgres -D'],
] as const;

const writers = 4;
const writesBeforeKill = 10;
const writesAfterRecovery = 10;

/** Creates persons one after the other and remembers the acknowledged ones. */
function startWriter(prefix: string) {
  const acknowledged: string[] = [];
  const { create } = whoisClient(once, system.credential);
  let running = true;
  const done = (async () => {
    for (let n = 1; running; n += 1) {
      const key = `${prefix}${n}-TEST`;
      const answer = await create('person', personText('Stream Writer', key)).catch(() => undefined);
      if (answer?.status === 200) acknowledged.push(key);
      else if (answer && answer.status < 500) throw new Error(`unexpected refusal: ${answer.status} ${answer.text}`);
    }
  })();
  return {
    acknowledged,
    stop: async () => {
      running = false;
      await done;
    },
  };
}

function pidOf(commandPart: string): number {
  const found = descendants(system.pid).find(({ command }) => command.includes(commandPart));
  if (!found) throw new Error(`no process has "${commandPart}" in its command`);
  return found.pid;
}

test.each(victims)(
  'when %s is killed during writes, no acknowledged write is lost and writing continues',
  async (name, part) => {
    const letters = String.fromCharCode(65 + victims.findIndex(([victim]) => victim === name));
    const streams = Array.from({ length: writers }, (_, n) => startWriter(`${letters}${'WXYZ'[n]}`));
    const written = () => streams.reduce((sum, { acknowledged }) => sum + acknowledged.length, 0);
    await eventually(() => expect(written()).toBeGreaterThan(writesBeforeKill));

    const killed = pidOf(part);
    process.kill(killed, 'SIGKILL');
    await eventually(() => expect(pidOf(part)).not.toBe(killed));
    await eventually(() => expect(system.output()).toContain(`${name} `));
    const before = written();
    await eventually(() => expect(written()).toBeGreaterThan(before + writesAfterRecovery));
    await Promise.all(streams.map((stream) => stream.stop()));

    const keys = streams.flatMap(({ acknowledged }) => acknowledged);
    const answers = await Promise.all(keys.map((key) => whois.lookup('person', key)));
    expect(keys.filter((_, n) => answers[n]?.status !== 200)).toEqual([]);
  },
);

test('reads without credentials work while auth is unavailable', async () => {
  process.kill(pidOf('services/auth/dist/main.js'), 'SIGKILL');
  expect((await whoisClient(once, system.credential).lookup('mntner', 'EXAMPLE-MNT')).status).toBe(200);
  await eventually(async () =>
    expect((await whois.lookup('mntner', 'EXAMPLE-MNT', '?unfiltered', { credential: system.credential })).status).toBe(
      200,
    ),
  );
});

test('after a recovery, an update that its writer sees is visible to everyone at once', async () => {
  const key = 'PC1-TEST';
  process.kill(pidOf('services/objects/dist/main.js'), 'SIGKILL');
  await eventually(async () => expect((await whois.create('person', personText('Carla Crash', key))).status).toBe(200));
  expect((await whois.lookup('person', key)).status).toBe(200);
  expect(
    (await whois.update('person', key, personText('Carla Crash', key).replace('Street 9', 'Street 10'))).status,
  ).toBe(200);
  expect(values(objectOf(await whois.lookup('person', key)), 'address')).toEqual(['Example Street 10']);
});

/** Sends commands to port 43, and returns all output until the connection closes. */
async function askWhois(commands: string, onData: () => void = () => {}): Promise<string> {
  const [host, port] = system.whois.split(':') as [string, string];
  const socket = connect(Number(port), host).setEncoding('latin1');
  let received = '';
  socket.on('data', (text) => {
    received += text;
    onData();
  });
  socket.on('error', () => {});
  socket.write(commands);
  await new Promise((resolve) => socket.once('close', resolve));
  return received;
}

test('when objects is killed while whois answers, no answer is wrong: the connection closes instead', async () => {
  const command = '!mmntner,EXAMPLE-MNT\n';
  const answer = await eventually(async () => {
    const received = await askWhois(command);
    expect(received).toMatch(/^A\d+\nmntner: /);
    return received;
  });
  const times = 20_000;
  let isKilled = false;
  const received = await askWhois(`!!\n${command.repeat(times)}!q\n`, () => {
    if (!isKilled) process.kill(pidOf('services/objects/dist/main.js'), 'SIGKILL');
    isKilled = true;
  });
  expect(answer.repeat(times).startsWith(received)).toBe(true);
  expect(received.length).toBeLessThan(answer.length * times);
  await eventually(async () => expect(await askWhois(command)).toBe(answer));
  // The gateway finds objects again by itself.
  await eventually(async () => expect((await whois.lookup('person', 'NB1-TEST')).status).toBe(404));
});

/** Runs a statement as superuser. postmaster.pid has the server's port in line 4 and its socket's directory in line 5. */
async function inDatabase(statement: string): Promise<pg.QueryResult> {
  const [, , , port, host] = (await readFile(join(data.directory, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
  const client = new pg.Client({ host, port: Number(port), user: 'postgres', database: 'cadastre' });
  await client.connect();
  return client.query(statement).finally(() => client.end());
}

test('when the feed has forgotten what followers need, search and gateway recover by themselves', async () => {
  const key = 'TF1-TEST';
  const search = pidOf('services/search/dist/main.js');
  process.kill(search, 'SIGSTOP');
  const text = personText('Trixie Trimmed', key);
  expect(await whois.create('person', text)).toMatchObject({ status: 200 });
  expect((await inDatabase('delete from objects.change')).rowCount).toBeGreaterThan(0);
  process.kill(search, 'SIGKILL');
  await eventually(
    async () => expect((await rest(`/search?source=test&query-string=${key}`)).status).toBe(200),
    180_000,
  );
  expect((await whois.update('person', key, text.replace('Street 9', 'Street 11'))).status).toBe(200);
  expect(values(objectOf(await whois.lookup('person', key)), 'address')).toEqual(['Example Street 11']);
  await eventually(async () =>
    expect((await rest(`/search.txt?source=test&query-string=${key}`)).text).toContain('Street 11'),
  );
});
