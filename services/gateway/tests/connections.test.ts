import { once } from 'node:events';
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

/** Clients that connect and say nothing; they never close their side. */
async function silentClients(port: number, count: number, localAddress = '127.0.0.1'): Promise<Socket[]> {
  const made = Array.from({ length: count }, () =>
    connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true }).on('error', () => {}),
  );
  clients.push(...made);
  await Promise.all(made.map((client) => once(client, 'connect')));
  for (const client of made) client.resume();
  return made;
}

/** What a client at an address is answered; empty when its connection is closed. */
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
  it('are closed when its time is over, and leave room for others', async () => {
    gateway = await start({ CADASTRE_GATEWAY_CONNECTIONS: '10' }, { handshakeTimeoutMs: 300 });
    for (const port of tlsPorts()) {
      const idle = await silentClients(port, 10);
      await Promise.all(idle.map((client) => once(client, 'end')));
      await silentClients(port, 9);
      expect(await answerTo('127.0.0.1', port)).toMatch(/^HTTP\/1\.1 200 /);
    }
  });

  it('of one client leave others alone', async () => {
    gateway = await start({ CADASTRE_GATEWAY_CONNECTIONS: '600' });
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
    // Which port accepts first is not known.
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
    ['exempt networks', { CADASTRE_LIMITS_EXEMPT: '127.0.0.0/8' }],
  ])('does not hold for %s', async (_who, env) => {
    gateway = await start(env, bounds);
    const { https } = gateway.gateway.ports();
    await silentClients(https, 6);
    expect(await answerTo('127.0.0.1', https)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

it('a gateway with a port that takes no more connections is not ready', async () => {
  gateway = await start({ CADASTRE_GATEWAY_CONNECTIONS: '10', CADASTRE_OPERATIONS: '127.0.0.1:0' });
  const ready = async () => (await fetch(`http://${gateway.gateway.operationsAddress()}/ready`)).status;
  expect(await ready()).toBe(200);
  const idle = await silentClients(gateway.gateway.ports().https, 10);
  await expect.poll(() => ready()).toBe(503);
  for (const client of idle) client.destroy();
  await expect.poll(() => ready()).toBe(200);
});
