import { once } from 'node:events';
import http2, { type ClientHttp2Session } from 'node:http2';
import { connect, type Socket } from 'node:net';
import tls from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { exampleReader, type RunningGateway, startGateway } from './gateway.fixture.js';

const request = 'GET /TEST/mntner/EXAMPLE-MNT HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
let gateway: RunningGateway;
const clients: Socket[] = [];
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await gateway.stop();
});

const start = (env: Record<string, string>, bounds: Parameters<typeof startGateway>[3] = {}) =>
  startGateway({ reader: exampleReader }, env, undefined, bounds);
const tlsPorts = () => [gateway.gateway.ports().https, gateway.gateway.ports().certificate!];

/** Clients that connect and send nothing; they never close their side. */
async function silentClients(port: number, count: number, localAddress = '127.0.0.1'): Promise<Socket[]> {
  const made = Array.from({ length: count }, () =>
    connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true }).on('error', () => {}),
  );
  clients.push(...made);
  await Promise.all(made.map((client) => once(client, 'connect')));
  for (const client of made) client.resume();
  return made;
}

/** The response to a client at an address; empty when its connection is closed. */
async function answerTo(localAddress: string, port: number): Promise<string> {
  const socket = tls.connect({ port, host: '127.0.0.1', localAddress, rejectUnauthorized: false } as object);
  socket.on('error', () => {}).write(request);
  let answer = '';
  socket.on('data', (chunk: Buffer) => {
    answer += chunk.toString();
  });
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}

describe('connections that never finish their handshake', () => {
  it('are closed after the timeout, and release their slots', async () => {
    gateway = await start({ CADASTRE_CONNECTIONS: '10' }, { handshakeTimeoutMs: 3_000 });
    const closeAll = async (port: number) => {
      const idle = await silentClients(port, 10);
      await Promise.all(idle.map((client) => client.readableEnded || once(client, 'end')));
      await silentClients(port, 9);
      // While the machine pauses, the handshake may take too long as well.
      await expect.poll(() => answerTo('127.0.0.1', port)).toMatch(/^HTTP\/1\.1 200 /);
    };
    await Promise.all(tlsPorts().map(closeAll));
  });

  it('of one client do not affect others', async () => {
    gateway = await start({ CADASTRE_CONNECTIONS: '600' }, { handshakeTimeoutMs: 600_000 });
    for (const port of tlsPorts()) {
      const silent = await silentClients(port, 650);
      expect(await answerTo('127.0.0.2', port)).toMatch(/^HTTP\/1\.1 200 /);
      expect(await answerTo('127.0.0.1', port)).toBe('');
      for (const client of silent) client.destroy();
      await expect.poll(async () => (await answerTo('127.0.0.1', port)).startsWith('HTTP/1.1 200 ')).toBe(true);
    }
  });
});

describe('the bound on the connections of one client', () => {
  const bounds = { connectionsPerClient: 5 };

  it('is one for all ports', async () => {
    gateway = await start({}, bounds);
    const { http, https } = gateway.gateway.ports();
    // The first port to accept is unknown.
    await expect
      .poll(async () => {
        await silentClients(http, 5);
        return (await answerTo('127.0.0.1', https)) === '';
      })
      .toBe(true);
    expect(await answerTo('127.0.0.2', https)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it.each([
    ['trusted proxies', { CADASTRE_TRUSTED_PROXIES: '127.0.0.0/8' }],
    ['exempt networks', { CADASTRE_LIMITS: '127.0.0.0/8 exempt' }],
  ])('does not hold for %s', async (_who, env) => {
    gateway = await start(env, bounds);
    const { https } = gateway.gateway.ports();
    await silentClients(https, 6);
    expect(await answerTo('127.0.0.1', https)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

it('a gateway with a full port is not ready', async () => {
  const env = { CADASTRE_CONNECTIONS: '10', CADASTRE_OPERATIONS: '127.0.0.1:0' };
  gateway = await start(env, { handshakeTimeoutMs: 600_000 });
  const ready = async () => (await fetch(`http://${gateway.gateway.operationsAddress()}/ready`)).status;
  expect(await ready()).toBe(200);
  const idle = await silentClients(gateway.gateway.ports().https, 10);
  await expect.poll(() => ready()).toBe(503);
  for (const client of idle) client.destroy();
  await expect.poll(() => ready()).toBe(200);
});

describe('on a full port', () => {
  /** A connection that a load balancer forwards for a silent client. */
  async function passedOn(client: string): Promise<Socket> {
    const [socket] = await silentClients(gateway.gateway.ports().https, 1, '127.0.0.2');
    socket!.write(`PROXY TCP4 ${client} 192.0.2.99 1 2\r\n`);
    return socket!;
  }

  /** The same, with HTTP/2. */
  async function sessionOf(client: string): Promise<ClientHttp2Session> {
    const socket = await passedOn(client);
    socket.pause();
    const createConnection = () => tls.connect({ socket, rejectUnauthorized: false, ALPNProtocols: ['h2'] });
    return http2.connect('https://localhost', { createConnection }).on('error', () => {});
  }

  async function statusOf(session: ClientHttp2Session): Promise<number> {
    const stream = session.request({ ':path': '/TEST/mntner/EXAMPLE-MNT' }).resume();
    const [headers] = await once(stream, 'response');
    return headers[':status'];
  }

  it('the idlest connection of the largest prefix is closed, not the newest client', async () => {
    const env = {
      CADASTRE_CONNECTIONS: '4',
      CADASTRE_PROXY_PROTOCOL_FROM: '127.0.0.2',
      CADASTRE_OPERATIONS: '127.0.0.1:0',
    };
    gateway = await start(env, { handshakeTimeoutMs: 600_000 });
    const friend = await sessionOf('192.0.2.1');
    const busy = [await sessionOf('198.51.100.1'), await sessionOf('198.51.100.2')];
    for (const session of [friend, ...busy]) expect(await statusOf(session)).toBe(200);
    const idle = await passedOn('198.51.100.3');
    const ready = async () => (await fetch(`http://${gateway.gateway.operationsAddress()}/ready`)).status;
    await expect.poll(ready).toBe(503);
    const gone = once(idle, 'close');
    const newest = await sessionOf('203.0.113.1');
    expect(await statusOf(newest)).toBe(200);
    idle.end();
    await gone;
    for (const session of [friend, ...busy]) expect(await statusOf(session)).toBe(200);
    // A client of the largest prefix uses no slot of others.
    const another = await passedOn('198.51.100.4');
    await once(another, 'end');
    for (const session of [friend, ...busy, newest]) session.destroy();
  });

  it.each([
    ['a /56 may have twice those of a client', (n: number) => `2001:db8:0:10${n}::1`, 4],
    ['a /48 may have four times those of a client', (n: number) => `2001:db8:0:${n}00::1`, 8],
  ])('%s', async (_what, client, max) => {
    gateway = await start({ CADASTRE_PROXY_PROTOCOL_FROM: '127.0.0.2' }, { connectionsPerClient: 2 });
    const { http } = gateway.gateway.ports();
    let answered = 0;
    for (let n = 0; n < 10; n++) {
      const [socket] = await silentClients(http, 1, '127.0.0.2');
      socket!.write(`PROXY TCP6 ${client(n >> 1)} ::1 1 2\r\nGET /TEST/mntner/EXAMPLE-MNT HTTP/1.1\r\nHost: x\r\n\r\n`);
      if (await Promise.race([once(socket!, 'data'), once(socket!, 'end').then(() => false)])) answered++;
    }
    expect(answered).toBe(max);
  });
});
