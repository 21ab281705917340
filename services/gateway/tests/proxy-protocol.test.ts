import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Writable } from 'node:stream';
import tls from 'node:tls';
import { createLogger } from '@cadastre/service';
import { isInstalled } from '@cadastre/service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exampleReader, type RunningGateway, startGateway } from './gateway.fixture.js';

let gateway: RunningGateway;
let logged = '';

beforeAll(async () => {
  const destination = new Writable({
    write(chunk, _encoding, done) {
      logged += chunk;
      done();
    },
  });
  const logger = createLogger({ service: 'gateway', level: 'debug', destination });
  const env = { CADASTRE_PROXY_PROTOCOL_FROM: '127.0.0.0/29', CADASTRE_TRUSTED_PROXIES: '198.51.100.9' };
  gateway = await startGateway({ reader: exampleReader, logger }, env);
});
afterAll(() => gateway.stop());

const request = (name: string) => `GET /TEST/mntner/${name} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`;

function v2(command: number, family: number, block: Buffer, length = block.length): Buffer {
  const fixed = Buffer.from('\r\n\r\n\0\r\nQUIT\n\0\0\0\0', 'latin1');
  fixed[12] = 0x20 + command;
  fixed[13] = family;
  fixed.writeUInt16BE(length, 14);
  return Buffer.concat([fixed, block]);
}

const ends = (source: number[]) => Buffer.from([...source, ...source.map(() => 0), 0, 1, 0, 2]);
const ipv4 = ends([192, 0, 2, 7]);
const ipv6 = ends([0x20, 0x01, 0x0d, 0xb8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7]);
const detail = Buffer.from([4, 0, 2, 0, 0]);

/** The bytes of a connection from an address; the parts arrive one by one. */
async function sent(port: number, parts: readonly (string | Buffer)[], localAddress = '127.0.0.2'): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', localAddress }).setNoDelay();
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk)).on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  for (const part of parts) await new Promise((resolve) => socket.write(part, resolve));
  await closed;
  return answer;
}

/** The client of the request for an object of this name, as the log shows it. */
async function clientOf(name: string): Promise<string> {
  const line = () => logged.split('\n').find((one) => one.includes(`/${name}"`));
  await expect.poll(line).toBeDefined();
  return JSON.parse(line()!).client;
}

const bytewise = (text: string) => [...text];

test.each<[string, (string | Buffer)[], string]>([
  ['V1-IPV4', ['PROXY TCP4 192.0.2.7 127.0.0.1 1 2\r\n'], '192.0.2.7'],
  ['V1-IPV6', ['PROXY TCP6 2001:db8::7 ::1 1 2\r\n'], '2001:db8::7'],
  ['V1-UNKNOWN', ['PROXY UNKNOWN\r\n'], '127.0.0.2'],
  ['V1-BYTES', bytewise('PROXY TCP4 192.0.2.8 127.0.0.1 1 2\r\n'), '192.0.2.8'],
  ['V2-IPV4', [v2(1, 0x11, ipv4)], '192.0.2.7'],
  ['V2-IPV6', [v2(1, 0x21, ipv6)], '2001:db8::7'],
  ['V2-DETAILS', [v2(1, 0x11, Buffer.concat([ipv4, detail]))], '192.0.2.7'],
  ['V2-LOCAL', [v2(0, 0, Buffer.alloc(0))], '127.0.0.2'],
  ['V2-PARTS', [v2(1, 0x11, ipv4).subarray(0, 9), v2(1, 0x11, ipv4).subarray(9)], '192.0.2.7'],
])('the header names the client: %s', async (name, header, client) => {
  const { http } = gateway.gateway.ports();
  const [last, ...before] = header.toReversed();
  const whole = Buffer.concat([Buffer.from(last!), Buffer.from(request(name))]);
  expect(await sent(http, [...before.reverse(), whole])).toMatch(/^HTTP\/1\.1 404 /);
  expect(await clientOf(name)).toBe(client);
});

test.each<[string, (string | Buffer)[]]>([
  ['no header', [request('NO-HEADER')]],
  ['a line without end', [`PROXY TCP4 ${'1'.repeat(200)}`]],
  ['a name for an address', ['PROXY TCP4 a.example.net 127.0.0.1 1 2\r\n', request('NAME')]],
  ['an address of the other family', ['PROXY TCP6 192.0.2.7 127.0.0.1 1 2\r\n', request('FAMILY')]],
  ['an unknown version', [Buffer.concat([v2(0x11, 0x11, ipv4), Buffer.from(request('VERSION'))])]],
  ['a family without addresses', [Buffer.concat([v2(1, 0x31, Buffer.alloc(216)), Buffer.from(request('UNIX'))])]],
  ['a length that is too short', [Buffer.concat([v2(1, 0x11, ipv4, 4), Buffer.from(request('SHORT'))])]],
  ['a length that is too large', [v2(1, 0x11, ipv4, 65_535)]],
])('a proxy without a valid header gets no answer: %s', async (_, parts) => {
  expect(await sent(gateway.gateway.ports().http, parts)).toBe('');
});

test('others need no header, and cannot claim another client by one', async () => {
  const { http } = gateway.gateway.ports();
  expect(await sent(http, [request('DIRECT')], '127.0.0.9')).toMatch(/^HTTP\/1\.1 404 /);
  expect(await clientOf('DIRECT')).toBe('127.0.0.9');
  const forged = await sent(http, [`PROXY TCP4 192.0.2.7 127.0.0.1 1 2\r\n${request('FORGED')}`], '127.0.0.9');
  expect(forged).toMatch(/^HTTP\/1\.1 400 /);
});

test('headers of requests count when the client that the load balancer names is a trusted proxy', async () => {
  const { http } = gateway.gateway.ports();
  for (const [name, client, seen] of [
    ['BEHIND-BOTH', '198.51.100.9', '203.0.113.1'],
    ['UNTRUSTED', '198.51.100.10', '198.51.100.10'],
  ] as const) {
    const forwarded = request(name).replace('Host: x', 'Host: x\r\nX-Forwarded-For: 203.0.113.1');
    await sent(http, [`PROXY TCP4 ${client} 127.0.0.1 1 2\r\n${forwarded}`]);
    expect(await clientOf(name)).toBe(seen);
  }
});

describe.each(['https', 'certificate'] as const)('over TLS, port %s', (port) => {
  const open = async () => {
    const plain = connect({ port: gateway.gateway.ports()[port]!, host: '127.0.0.1', localAddress: '127.0.0.2' });
    plain.write('PROXY TCP4 192.0.2.7 127.0.0.1 1 2\r\n');
    return plain;
  };

  test('the header comes before the handshake: HTTP/1.1', async () => {
    const socket = tls.connect({ socket: await open(), rejectUnauthorized: false });
    socket.write(request(`TLS-${port}`));
    await new Promise((resolve) => socket.on('data', () => {}).once('close', resolve));
    expect(await clientOf(`TLS-${port}`)).toBe('192.0.2.7');
  });

  test('the header comes before the handshake: HTTP/2', async () => {
    const socket = tls.connect({ socket: await open(), rejectUnauthorized: false, ALPNProtocols: ['h2'] });
    const session = connectHttp2('https://localhost', { createConnection: () => socket });
    const stream = session.request({ ':path': `/TEST/mntner/H2-${port}` });
    stream.resume();
    await new Promise((resolve) => stream.once('close', resolve));
    session.destroy();
    expect(await clientOf(`H2-${port}`)).toBe('192.0.2.7');
  });
});

describe.skipIf(!isInstalled('haproxy'))('behind HAProxy (skipped without the program haproxy)', () => {
  test.each(['send-proxy', 'send-proxy-v2'])('%s', async (option) => {
    const directory = await mkdtemp(path.join(tmpdir(), 'cadastre-haproxy-'));
    const { https } = gateway.gateway.ports();
    const config = `
      defaults
        mode tcp
        timeout connect 5s
        timeout client 5s
        timeout server 5s
      listen registry
        bind unix@${directory}/in accept-proxy
        server gateway 127.0.0.1:${https} ${option} source 127.0.0.3
    `;
    await writeFile(`${directory}/config`, `${config.trimEnd()}\n`);
    const proxy = spawn('haproxy', ['-f', `${directory}/config`, '-db'], { stdio: 'ignore' });
    try {
      const open = () =>
        new Promise<ReturnType<typeof connect>>((resolve, reject) => {
          const socket = connect(`${directory}/in`, () => resolve(socket)).once('error', reject);
        });
      await expect
        .poll(() =>
          open().then(
            (one) => one.destroy().destroyed,
            () => false,
          ),
        )
        .toBe(true);
      const plain = await open();
      plain.write('PROXY TCP4 203.0.113.5 127.0.0.1 1 2\r\n');
      const socket = tls.connect({ socket: plain, rejectUnauthorized: false });
      socket.write(request(`HA-${option}`));
      await new Promise((resolve) => socket.on('data', () => {}).once('close', resolve));
      expect(await clientOf(`HA-${option}`)).toBe('203.0.113.5');
    } finally {
      proxy.kill();
      await rm(directory, { recursive: true });
    }
  });
});
