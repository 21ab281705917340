import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { AuthenticationServiceService } from '@cadastre/proto/auth';
import { ChangeFeedServiceService, ObjectReaderServiceService } from '@cadastre/proto/objects';
import { SearchServiceService } from '@cadastre/proto/search';
import { AddressFamily, SetServiceService } from '@cadastre/proto/whois';
import {
  connect,
  createMetrics,
  createRpcServer,
  type Handlers,
  implement,
  type RpcServer,
  reservePort,
  type ServiceDefinition,
} from '@cadastre/service';
import { createAuthority, sourceArguments, testLogger } from '@cadastre/service/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createRegistry, type Registry } from './registry.fixture.js';
import { beginWhois, type RunningWhois, startWhois } from './whois.fixture.js';

const route = (prefix: string, origin: string) =>
  `route:  ${prefix}\norigin: ${origin}\nmnt-by: EXAMPLE-MNT\nsource: TEST`;
const answer = 'A13\n192.0.2.0/24\nC\n';
const help = '-t as-block\n';
const manyPrefixes = Array.from({ length: 20_000 }, (_, n) => `10.${n >> 8}.${n & 255}.0/24`).join(' ');
const largeAnswer = `A${manyPrefixes.length + 1}\n${manyPrefixes}\nC\n`;

let registry: Registry;
const servers: RpcServer[] = [];
let env: Record<string, string>;
/** The settings for a registry without those many routes, which take most of the time of a start. */
let small: Record<string, string>;
let whois: RunningWhois;
let operations: string;

beforeAll(async () => {
  registry = registryOfFew();
  registry.put(
    manyPrefixes
      .split(' ')
      .map((prefix) => route(prefix, 'AS64501'))
      .join('\n\n'),
  );
  operations = `127.0.0.1:${await reservePort()}`;
  env = await settingsFor(registry);
  small = await settingsFor(registryOfFew());
  whois = await startForked({ CADASTRE_OPERATIONS: operations });
});
afterAll(async () => {
  await whois.stop();
  for (const server of servers) await server.stop();
});

/** A registry with one object of each kind that the tests ask for. */
function registryOfFew(): Registry {
  const made = createRegistry();
  made.put('mntner: EXAMPLE-MNT\nsource: TEST');
  made.put(route('192.0.2.0/24', 'AS64500'));
  made.put('as-set: AS-EX\nmembers: AS64500\nmnt-by: EXAMPLE-MNT\nsource: TEST');
  return made;
}

/** Starts a server of a registry; resolves to the settings of whois for it. */
async function settingsFor(served: Registry): Promise<Record<string, string>> {
  const server = serverOf(served);
  servers.push(server);
  const { address } = await server.start();
  return {
    CADASTRE_LOG_LEVEL: 'fatal',
    CADASTRE_OBJECTS_ADDRESS: address,
    CADASTRE_SEARCH_ADDRESS: address,
    CADASTRE_AUTH_ADDRESS: address,
    CADASTRE_WHOIS_NRTM_CLIENTS: '127.0.0.1',
  };
}

/** A server with all services of the registry. */
function serverOf({ backends }: Registry): RpcServer {
  const { reader, feed, search, auth } = backends;
  const own = <D extends ServiceDefinition>(definition: D, client: unknown) =>
    implement(definition, client as Handlers<D>);
  return createRpcServer({
    name: 'registry',
    logger: testLogger(),
    metrics: createMetrics('registry'),
    address: '127.0.0.1:0',
    implementations: [
      own(ObjectReaderServiceService, reader),
      own(ChangeFeedServiceService, feed),
      own(SearchServiceService, search),
      own(AuthenticationServiceService, auth),
    ],
  });
}

async function startForked(more: Record<string, string> = {}): Promise<RunningWhois> {
  return startWhois({}, { ...env, ...more }, { withoutFork: false });
}

/** A connection that has had an answer. Until the index is complete, connections of commands are closed. */
function answered(service: RunningWhois, address: string) {
  const ask = async () => {
    const connection = service.open(address);
    connection.send('!!\n!gAS64500\n');
    await Promise.race([once(connection.socket, 'data'), connection.closed]);
    expect(connection.received()).toBe(answer);
    return connection;
  };
  return vi.waitFor(ask, { timeout: 120_000 });
}

/** The index processes that a process has. */
function indexProcesses(parent = process.pid): number[] {
  const children = readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').split(' ').filter(Boolean);
  return children.map(Number).filter((pid) => commandOf(pid).includes('index-process/main'));
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

async function get(path: string): Promise<string> {
  const response = await fetch(`http://${operations}${path}`);
  return response.text();
}

describe('a connection goes to the index process with its first command', () => {
  const commands = '!gAS64500\n'.repeat(1_000);

  test('1,000 commands in one packet', async () => {
    expect(await whois.ask(`!!\n${commands}!q\n`)).toBe(answer.repeat(1_000));
  });

  test('byte by byte', async () => {
    const all = await Promise.all(Array.from({ length: 20 }, byteByByte));
    expect(new Set(all)).toEqual(new Set([answer.repeat(20)]));
  });

  async function byteByByte(): Promise<string> {
    const { socket, send, received, closed } = whois.open();
    socket.setNoDelay();
    for (const byte of `!!\n${'!gAS64500\r\n'.repeat(20)}!q\n`) {
      send(byte);
      await new Promise((resolve) => setImmediate(resolve));
    }
    await closed;
    return received();
  }

  test('after queries on the same connection, whose answers come first', async () => {
    const query = await whois.ask(help);
    const text = await whois.ask(`-k\n${help}${help}!!\n${commands}${help}!q\n`);
    expect(text.split(answer)).toHaveLength(1_001);
    const [before, ...after] = text.split(answer.repeat(1_000));
    expect(before!.split('as-block:')).toHaveLength(3);
    expect(before).toContain(query.slice(query.indexOf('as-block:')));
    expect(after).toHaveLength(1);
    expect(after[0]).toContain('as-block:');
  });

  test('also when the client has closed its side, with or without the end of a line', async () => {
    for (const sent of ['!gAS64500\n', '!gAS64500', '-V tag !gAS64500\n']) {
      const { socket, received, closed } = whois.open();
      socket.end(sent);
      await closed;
      expect(received()).toBe(answer);
    }
  });

  test('300 at the same time, while others send more', async () => {
    const all = await Promise.all(Array.from({ length: 300 }, () => whois.ask(`!!\n${'!gAS64500\n'.repeat(50)}!q\n`)));
    expect(new Set(all)).toEqual(new Set([answer.repeat(50)]));
  });

  test('requests for changes stay where they are', async () => {
    expect(await whois.ask('-g TEST:3:1-1\n')).toMatch(/%START Version: 3 TEST 1-1\n\nADD 1\n\nmntner/);
  });
});

test('the metrics of both processes are those of the service, and differ by a label', async () => {
  await expect.poll(() => get('/metrics')).toMatch(/^cadastre_check_up\{check="sets",service="whois"\} 1$/m);
  // A busy index process may send its metrics too late for an answer.
  let text = '';
  await expect.poll(async () => (text = await get('/metrics'))).toContain('service="whois",process="index"}');
  expect(text).toMatch(/^cadastre_whois_routes\{source="TEST",service="whois",process="index"\} 20001$/m);
  expect(text).toMatch(/^process_resident_memory_bytes\{service="whois"\} \d+$/m);
  expect(text).toMatch(/^process_resident_memory_bytes\{service="whois",process="index"\} \d+$/m);
  expect(text).toMatch(/^process_start_time_seconds\{service="whois",process="index"\} /m);
  expect(text.match(/^# TYPE process_resident_memory_bytes /gm)).toHaveLength(1);
});

describe('the connections of the index process', () => {
  test('may have come over TLS, which stays in the main process', async () => {
    const authority = createAuthority();
    const { tlsCertFile, tlsKeyFile } = authority.certify('whois');
    const secured = await startForked({
      ...small,
      CADASTRE_WHOIS_TLS_PORT: '0',
      CADASTRE_WHOIS_TLS_CERT_FILE: tlsCertFile,
      CADASTRE_WHOIS_TLS_KEY_FILE: tlsKeyFile,
    });
    try {
      await answered(secured, '127.0.0.2');
      const { send, received, closed } = secured.openTls();
      send(`-k -q version\n!!\n${'!gAS64500\n'.repeat(1_000)}-q version\n!q\n`);
      await closed;
      const version = await secured.ask('-q version\n');
      expect(received()).toBe(version + answer.repeat(1_000) + version);
    } finally {
      await secured.stop();
      authority.remove();
    }
  });

  test('count as those of their client', async () => {
    // Five times as many with commands.
    const bounded = await startForked({ ...small, CADASTRE_WHOIS_CONNECTIONS_PER_CLIENT: '1' });
    try {
      const open = Array.from({ length: 5 }, () => bounded.open('127.0.0.2'));
      for (const { send, received } of open) {
        send('!!\n!gAS64500\n');
        await expect.poll(received).toBe(answer);
      }
      expect(await bounded.ask('', '127.0.0.2')).toContain('%ERROR:306');
      open[0]!.send('!q\n');
      await open[0]!.closed;
      await expect.poll(() => bounded.ask('!gAS64500\n', '127.0.0.2')).toBe(answer);
      open[1]!.socket.destroy();
      await expect
        .poll(async () => {
          const both = await Promise.all([1, 2].map(() => bounded.ask('!gAS64500\n', '127.0.0.2')));
          return both.join('');
        })
        .toBe(answer + answer);
    } finally {
      await bounded.stop();
    }
  });

  test('make room on a full port', async () => {
    const full = await startForked({
      ...small,
      CADASTRE_CONNECTIONS: '2',
      CADASTRE_UNLIMITED_NETWORKS: '127.0.1.1',
    });
    try {
      const open = [await answered(full, '127.0.0.2'), await answered(full, '127.0.0.3')];
      expect(await full.ask('!gAS64500\n', '127.0.1.1')).toBe(answer);
      await Promise.race(open.map(({ closed }) => closed));
      expect(open.filter(({ socket }) => socket.closed)).toHaveLength(1);
    } finally {
      await full.stop();
    }
  });
});

describe('when the index process is killed', () => {
  test('no query fails, commands work again later, and connections are released', async () => {
    const client = connect(SetServiceService, { address: whois.address, deadlineMs: 60_000 });
    const family = AddressFamily.ADDRESS_FAMILY_UNSPECIFIED;
    const selected = { name: 'AS-EX', sources: [], routeSources: [], excludedSets: [], client: '' };
    const request = { ...selected, family, aggregate: false, byOrigin: false };
    const expand = async () => {
      let prefixes = '';
      for await (const { groups } of client.expandSet(request)) {
        prefixes += groups.map((group) => group.prefixes).join();
      }
      return prefixes;
    };
    expect(await expand()).toBe('192.0.2.0/24');
    const numbers: number[] = [];
    for await (const { asNumbers } of client.describeSet({
      name: 'AS-EX',
      sources: [],
      routeSources: [],
      withPrefixes: false,
      client: '',
    })) {
      numbers.push(...asNumbers);
    }
    expect(numbers).toEqual([64500]);
    const idle = whois.open();
    idle.send('!!\n!gAS64500\n');
    await expect.poll(idle.received).toBe(answer);
    await expect.poll(() => get('/metrics')).toMatch(/^cadastre_whois_connections\{service="whois"\} 1$/m);
    const query = await whois.ask(help);
    const stopped = new AbortController();
    onTestFinished(() => stopped.abort());
    const queries = (async () => {
      const seen = new Set<string>();
      while (!stopped.signal.aborted) {
        seen.add(await whois.ask(help));
        await pause(20);
      }
      return [...seen];
    })();

    await expect.poll(() => get('/ready')).toBe('ready\n');
    const release = registry.holdExports();
    const [pid] = indexProcesses();
    process.kill(pid!, 'SIGKILL');
    await idle.closed;
    expect(await whois.ask('!gAS64500\n')).toBe('');
    await expect(expand()).rejects.toMatchObject({ kind: 'unavailable' });
    await expect.poll(() => get('/ready')).toBe('ready, but degraded: sets\n');

    release();
    await expect.poll(() => whois.ask('!gAS64500\n')).toBe(answer);
    stopped.abort();
    expect(await queries).toEqual([query]);
    expect(await expand()).toBe('192.0.2.0/24');
    await expect.poll(() => get('/ready')).toBe('ready\n');
    await expect.poll(() => get('/metrics')).toMatch(/^cadastre_whois_connections\{service="whois"\} 0$/m);
    expect(await get('/metrics')).toMatch(/^cadastre_whois_index_process_ends_total\{service="whois"\} 1$/m);
    expect(indexProcesses()).toHaveLength(1);
    client.close();
  });
});

describe('at the end of the service', () => {
  test('answers of the index process are complete, and it is gone', async () => {
    const others = new Set(indexProcesses());
    const stopping = await startForked();
    const [pid] = indexProcesses().filter((one) => !others.has(one));
    const idle = stopping.open();
    idle.send('!!\n!gAS64500\n');
    await expect.poll(idle.received).toBe(answer);
    const reading = stopping.open();
    reading.socket.pause();
    reading.send('!!\n!gAS64501\n');
    await new Promise((resolve) => reading.socket.once('readable', resolve));
    const stopped = stopping.stop();
    await idle.closed;
    reading.socket.resume();
    await Promise.all([reading.closed, stopped]);
    expect(reading.received()).toBe(largeAnswer);
    expect(commandOf(pid!)).toBe('');
  });

  test('it stops while the index process is gone, which closed the connections on their way to it', async () => {
    const others = new Set(indexProcesses());
    const stopping = await startForked(small);
    const open = stopping.open();
    open.send('!!\n!gAS64500\n');
    await expect.poll(open.received).toBe(answer);
    const [pid] = indexProcesses().filter((one) => !others.has(one));
    process.kill(pid!, 'SIGSTOP');
    const handed = [stopping.open(), stopping.open()];
    for (const { send } of handed) send('!!\n!gAS64500\n');
    await stopping.ask(help);
    process.kill(pid!, 'SIGKILL');
    await Promise.all([open, ...handed].map(({ closed }) => closed));
    await stopping.stop();
    expect(indexProcesses()).toHaveLength(others.size);
  });

  test('the index process ends also when the service is killed', async () => {
    const port = await reservePort();
    const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
    const running = spawn(process.execPath, [...sourceArguments, main], {
      env: {
        ...process.env,
        ...small,
        CADASTRE_LOG_LEVEL: 'info',
        CADASTRE_SOURCE: 'TEST',
        CADASTRE_LISTEN: '127.0.0.1:0',
        CADASTRE_WHOIS_PORT: String(port),
        CADASTRE_BIND_ADDRESS: '127.0.0.1',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void running.kill('SIGKILL'));
    for await (const line of createInterface(running.stdout)) if (/"msg":"ready"/.test(line)) break;
    const [pid] = indexProcesses(running.pid);
    expect(commandOf(pid!)).toContain('--max-old-space-size=');
    running.kill('SIGKILL');
    await once(running, 'exit');
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
  });
});

test('while the index process is not complete, commands close the connection', async () => {
  const release = registry.holdExports();
  const starting = await beginWhois({}, env, { withoutFork: false });
  try {
    expect(await starting.ask('!gAS64500\n')).toBe('');
    expect(await starting.ask(help)).toContain('as-block:');
  } finally {
    release();
    await starting.stop();
  }
  expect(indexProcesses()).toHaveLength(1);
});
