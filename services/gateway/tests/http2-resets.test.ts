import http2, { type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { exampleReader, type RunningGateway, startGateway } from './gateway.fixture.js';

const held = '/TEST/mntner/EXAMPLE-MNT/versions/1';
const now = new Date();
let gateway: RunningGateway;
const sessions: ClientHttp2Session[] = [];
beforeAll(async () => {
  gateway = await startGateway(
    { reader: { ...exampleReader, getVersion: () => new Promise<never>(() => {}) } },
    {
      CADASTRE_OPERATIONS: '127.0.0.1:0',
      CADASTRE_LIMITS: 'queries=1000000 concurrent-requests=-1',
    },
    // The clock stands still, so counts per second never reset.
    () => now,
  );
});
afterEach(() => {
  for (const session of sessions.splice(0)) session.destroy();
});
afterAll(() => gateway.stop());

function connectFrom(localAddress: string): ClientHttp2Session {
  const url = `https://127.0.0.1:${gateway.gateway.ports().https}`;
  const session = http2.connect(url, { rejectUnauthorized: false, localAddress } as http2.SecureClientSessionOptions);
  session.on('error', () => {});
  sessions.push(session);
  return session;
}

/** Opens this number of streams that end early, one after the other; ends when the connection does. */
async function openInVain(session: ClientHttp2Session, count: number, headers: OutgoingHttpHeaders, cancel: boolean) {
  for (let opened = 0; opened < count && !session.closed && !session.destroyed; opened++) {
    const stream = session
      .request({ ':path': held, ...headers })
      .on('error', () => {})
      .resume();
    if (cancel) stream.close(http2.constants.NGHTTP2_CANCEL);
    await new Promise((resolve) => stream.once('close', resolve));
  }
}

async function metric(pattern: RegExp): Promise<number> {
  const text = await (await fetch(`http://${gateway.gateway.operationsAddress()}/metrics`)).text();
  return [...text.matchAll(pattern)].reduce((sum, [, count]) => sum + Number(count), 0);
}
const counted = () => metric(/^cadastre_http_requests_total\{[^}]*\} (\d+)$/gm);
const closed = () => metric(/^cadastre_http_connections_dropped_total\{[^}]*reason="resets"[^}]*\} (\d+)$/gm);

/** How many queries have been counted for a client. */
async function queriesOf(localAddress: string): Promise<number> {
  const stream = connectFrom(localAddress).request({ ':path': '/metadata/limits.json' });
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  const { limits } = JSON.parse(Buffer.concat(chunks).toString());
  return limits.limit.find((one: { name: string }) => one.name === 'queries').used;
}

describe.each<[string, OutgoingHttpHeaders, boolean, string, number]>([
  ['that its client takes back', {}, true, '127.0.0.2', 1],
  ['with headers that are too large', { x: 'x'.repeat(17_000) }, false, '127.0.0.3', 2],
])('streams %s', (_what, headers, cancel, client, number) => {
  it('end their connection when they are many, count as requests, and against the limits of the client', async () => {
    const countedBefore = await counted();
    const session = connectFrom(client);
    // The server checks at intervals: the number may exceed the limit until then. Several at a time, because a busy
    // machine may otherwise not reach the excessive rate.
    for (let n = 0; n < 10; n++) void openInVain(session, 10_000, headers, cancel);
    await expect.poll(() => closed()).toBe(number);
    await expect.poll(async () => (await counted()) > countedBefore + 200).toBe(true);
    expect(await queriesOf(client)).toBeGreaterThan(200);
    expect(await queriesOf('127.0.0.1')).toBe(number);
  });
});

it('a few of them are no harm', async () => {
  const session = connectFrom('127.0.0.4');
  await openInVain(session, 20, { x: 'x'.repeat(17_000) }, false);
  await openInVain(session, 20, {}, true);
  expect(session.destroyed).toBe(false);
});

it('a connection that has reached its maximum of requests closes after their responses', async () => {
  const bounded = await startGateway({ reader: exampleReader }, {}, undefined, { requestsPerConnection: 3 });
  const session = http2.connect(`https://127.0.0.1:${bounded.gateway.ports().https}`, { rejectUnauthorized: false });
  const statuses: unknown[] = [];
  for (let sent = 0; sent < 3; sent++) {
    const stream = session.request({ ':path': '/TEST/mntner/EXAMPLE-MNT' }).resume();
    stream.on('response', (headers) => statuses.push(headers[':status']));
  }
  await new Promise((resolve) => session.once('close', resolve));
  expect(statuses).toEqual([200, 200, 200]);
  await bounded.stop();
});
