import { once } from 'node:events';
import { copyFile } from 'node:fs/promises';
import { connect } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { createMetrics } from '@cadastre/service';
import { type Authority, createAuthority } from '@cadastre/service/testing';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createRegistry, type Registry } from './registry.fixture.js';
import { beginWhois, type RunningWhois, startWhois } from './whois.fixture.js';

const route = (prefix: string, origin: string) =>
  `route:  ${prefix}\norigin: ${origin}\nmnt-by: EXAMPLE-MNT\nsource: TEST`;
const prefixes = Array.from({ length: 30_000 }, (_, n) => `10.${n >> 8}.${n & 255}.0/24`);
const answer = 'A13\n192.0.2.0/24\nC\n';

let authority: Authority;
let registry: Registry;
let env: Record<string, string>;
let whois: RunningWhois;
const started: RunningWhois[] = [];

beforeAll(async () => {
  authority = createAuthority();
  registry = createRegistry();
  registry.put([route('192.0.2.0/24', 'AS64500'), ...prefixes.map((prefix) => route(prefix, 'AS64501'))].join('\n\n'));
  registry.put('as-set: AS-MANY\nmembers: AS64501\nmnt-by: EXAMPLE-MNT\nsource: TEST');
  env = envOf('whois');
  whois = await startWhois(registry, env);
});
afterEach(async () => {
  vi.useRealTimers();
  for (const one of started.splice(0)) await one.stop();
});
afterAll(async () => {
  await whois.stop();
  authority.remove();
});

function envOf(name: string): Record<string, string> {
  const { tlsCertFile, tlsKeyFile } = authority.certify(name);
  return {
    CADASTRE_WHOIS_TLS_PORT: '0',
    CADASTRE_WHOIS_TLS_CERT_FILE: tlsCertFile,
    CADASTRE_WHOIS_TLS_KEY_FILE: tlsKeyFile,
  };
}

async function start(more: Record<string, string>, overrides = {}): Promise<RunningWhois> {
  const running = await startWhois(registry, { ...env, ...more }, overrides);
  started.push(running);
  return running;
}

const large = `A${prefixes.join(' ').length + 1}\n${prefixes.join(' ')}\nC\n`;

describe('over TLS', () => {
  test('queries have the answers of the other port', async () => {
    const { send, received, closed } = whois.openTls();
    send('-q version\n');
    await closed;
    expect(received()).toBe(await whois.ask('-q version\n'));
  });

  test.each([
    ['one command', '!gAS64500\n', answer],
    ['many commands', `!!\n${'!gAS64500\n'.repeat(1_000)}!q\n`, answer.repeat(1_000)],
    ['a large answer, and what the client sends after it', `!aAS-MANY\n${'!gAS64500\n'.repeat(1_000)}`, large],
    ['large answers', `!!\n${'!aAS-MANY\n'.repeat(5)}!q\n`, large.repeat(5)],
  ])('commands have theirs: %s', async (_what, sent, expected) => {
    const { send, received, closed } = whois.openTls();
    send(sent);
    await closed;
    expect(received()).toBe(expected);
  });

  test('a query and commands share a connection', async () => {
    const { send, received, closed } = whois.openTls();
    send('-k -q version\n!gAS64500\n-q types\n!q\n');
    await closed;
    expect(received()).toMatch(/whois-server.*\n\n\nA13\n192\.0\.2\.0\/24\nC\n.*\nroute6\n/s);
  });

  test('a client that closes its side gets its answers', async () => {
    const { socket, received, closed } = whois.openTls();
    await once(socket, 'secureConnect');
    socket.end('!!\n!gAS64500\n!aAS-MANY\n!gAS64500');
    await closed;
    expect(received()).toBe(answer + large + answer);
  });

  test('a slow reader gets the whole of an answer', async () => {
    const { socket, send, received, closed } = whois.openTls();
    await once(socket, 'secureConnect');
    socket.pause();
    send('!aAS-MANY\n');
    await new Promise((resolve) => socket.once('readable', resolve));
    socket.resume();
    await closed;
    expect(received()).toBe(large);
  });

  test('a connection ends when its client leaves, or the service stops', async () => {
    const metrics = createMetrics('whois');
    const running = await start({}, { metrics });
    const connections = async () =>
      (await metrics.getSingleMetric('cadastre_whois_connections')!.get()).values[0]!.value;
    const open = [running.openTls(), running.openTls()];
    for (const { send, received } of open) {
      send('!!\n!gAS64500\n');
      await expect.poll(received).toBe(answer);
    }
    open[0]!.socket.destroy();
    await expect.poll(connections).toBe(1);
    await running.stop();
    started.pop();
    await open[1]!.closed;
  });
});

describe('connections over TLS', () => {
  test('count as those of their client on the other port', async () => {
    const running = await start({
      CADASTRE_WHOIS_CONNECTIONS_PER_CLIENT: '1',
      CADASTRE_UNLIMITED_NETWORKS: '127.0.0.1',
    });
    const all = [1, 2, 3].map(() => running.openTls('127.0.0.2')).concat([1, 2].map(() => running.open('127.0.0.2')));
    for (const { send, received } of all) {
      send('!!\n!gAS64500\n');
      await expect.poll(received).toBe(answer);
    }
    const refused = running.openTls('127.0.0.2');
    await refused.closed;
    expect(refused.received()).toBe('');
    expect(await running.ask('', '127.0.0.2')).toContain('%ERROR:306');
    all[0]!.send('!q\n');
    await all[0]!.closed;
    await expect.poll(() => running.ask('!gAS64500\n', '127.0.0.2')).toBe(answer);
  });

  test('without a handshake are closed, and count as queries', async () => {
    // All in one second.
    vi.setSystemTime(new Date());
    const running = await start({ CADASTRE_LIMITS: 'block-after=1, 127.0.0.2 queries=2' });
    const plain = () =>
      connect({ port: running.tlsPort!, host: '127.0.0.1', localAddress: '127.0.0.2' }).on('error', () => {});
    const closedBy = async (sent: string) => {
      const socket = plain();
      socket.resume().write(sent);
      await new Promise((resolve) => socket.once('close', resolve));
    };
    await Promise.all(
      Array.from({ length: 30 }, (_, n) => closedBy(n % 2 === 0 ? '!gAS64500\n' : 'GET / HTTP/1.1\r\n\r\n')),
    );
    expect(await running.ask('!gAS64500\n', '127.0.0.2')).toContain('%ERROR:201');
    expect(await running.ask('!gAS64500\n', '127.0.0.3')).toBe(answer);
  });

  test('that begin no handshake for 10 s are closed', async () => {
    const socket = connect({ port: whois.tlsPort!, host: '127.0.0.1' }).on('error', () => {});
    await once(socket, 'connect');
    // The service has begun to wait when it has served others.
    expect(await whois.ask('!gAS64500\n')).toBe(answer);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const other = connect({ port: whois.tlsPort!, host: '127.0.0.1' }).on('error', () => {});
    await once(other, 'connect');
    expect(await whois.ask('!gAS64500\n')).toBe(answer);
    const closed = once(other.resume(), 'close');
    vi.advanceTimersByTime(9_000);
    expect(await whois.ask('!gAS64500\n')).toBe(answer);
    expect(other.closed).toBe(false);
    vi.advanceTimersByTime(2_000);
    await closed;
    socket.destroy();
  });

  test('name their client by the PROXY protocol before the handshake', async () => {
    const running = await start({
      CADASTRE_PROXY_PROTOCOL_FROM: '127.0.0.2',
      CADASTRE_WHOIS_CONNECTIONS_PER_CLIENT: '1',
    });
    const header = 'PROXY TCP4 192.0.2.7 127.0.0.1 1 2\r\n';
    const first = running.openTls('127.0.0.2', header);
    first.send('-k -q version\n');
    await expect.poll(first.received).toMatch(/\n\n\n$/);
    const second = running.openTls('127.0.0.2', header);
    second.send('-q version\n');
    await second.closed;
    expect(second.received()).toContain('%ERROR:306');
    first.socket.destroy();
  });
});

describe('the certificate', () => {
  test('is replaced without a restart', async () => {
    const files = authority.certify('first');
    const running = await start(
      { CADASTRE_WHOIS_TLS_CERT_FILE: files.tlsCertFile, CADASTRE_WHOIS_TLS_KEY_FILE: files.tlsKeyFile },
      { certificateIntervalMs: 20 },
    );
    const serial = async () => {
      const { socket } = running.openTls();
      await once(socket, 'secureConnect');
      const { serialNumber } = (socket as TLSSocket).getPeerCertificate();
      socket.destroy();
      return serialNumber;
    };
    const before = await serial();
    const open = running.openTls();
    open.send('!!\n!gAS64500\n');
    await expect.poll(open.received).toBe(answer);
    const next = authority.certify('second');
    await copyFile(next.tlsKeyFile, files.tlsKeyFile);
    await copyFile(next.tlsCertFile, files.tlsCertFile);
    await expect.poll(serial).not.toBe(before);
    open.send('!gAS64500\n');
    await expect.poll(open.received).toBe(answer.repeat(2));
    open.socket.destroy();
  });

  test.each<[string, () => Record<string, string>, string]>([
    ['no key', () => ({ CADASTRE_WHOIS_TLS_KEY_FILE: '' }), 'CADASTRE_WHOIS_TLS_PORT needs both'],
    ['no file', () => ({ CADASTRE_WHOIS_TLS_CERT_FILE: '/nowhere' }), 'ENOENT'],
    [
      'the key of another',
      () => ({ CADASTRE_WHOIS_TLS_KEY_FILE: authority.certify('another').tlsKeyFile }),
      'CADASTRE_WHOIS_TLS_CERT_FILE and CADASTRE_WHOIS_TLS_KEY_FILE: ',
    ],
  ])('is refused at the start: %s', async (_what, more, fault) => {
    await expect(beginWhois(registry, { ...env, ...more() })).rejects.toThrow(fault);
  });
});
