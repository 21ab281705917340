import { afterEach, describe, expect, it } from 'vitest';
import { type Backends, exampleAuth, exampleReader, type RunningGateway, startGateway } from './gateway.fixture.js';
import { openConnection, rawRequest } from './raw-request.fixture.js';

const path = '/TEST/mntner/EXAMPLE-MNT';
let gateway: RunningGateway;
afterEach(() => gateway.stop());

/** Held lookups and searches wait for the test, however long it takes. */
const deadlines = { CADASTRE_GATEWAY_DEADLINES: 'read=10m search=10m' };

/** A reader whose lookups wait until the test releases them. */
function heldReader() {
  const waiting: (() => void)[] = [];
  const reader: Backends['reader'] = {
    ...exampleReader,
    getVersion: () => new Promise((_resolve, reject) => waiting.push(() => reject(new Error('let go')))),
  };
  return { reader, waiting };
}

const ports = () => [
  { port: gateway.gateway.ports().http, secure: undefined },
  { port: gateway.gateway.ports().https, secure: {} },
];

describe('more requests than the gateway can handle in time', () => {
  it('is refused immediately in the requested format, with Retry-After', async () => {
    const { reader, waiting } = heldReader();
    gateway = await startGateway(
      { reader },
      { ...deadlines, CADASTRE_GATEWAY_CONCURRENT: 'requests=2', CADASTRE_TRUSTED_PROXIES: '127.0.0.1' },
    );
    // Of two clients: each has one version read at a time.
    const held = ['192.0.2.1', '192.0.2.2'].map((from) =>
      gateway.send(`${path}/versions/1`, { headers: { 'x-forwarded-for': from } }),
    );
    await expect.poll(() => waiting.length).toBe(2);
    const refused = await gateway.send(`${path}.json`);
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '2', 'content-type': 'application/json' } });
    expect(JSON.parse(refused.text).errormessages.errormessage).toHaveLength(1);
    // A refusal that repeats a long URL exceeds the free bytes, and has no client to charge.
    expect((await gateway.send(`${path}?${'&'.repeat(7_000)}`)).status).toBe(503);
    for (const letGo of waiting) letGo();
    await Promise.all(held);
    expect((await gateway.send(path)).status).toBe(200);
  });

  it('of searches does not affect lookups', async () => {
    let searches = 0;
    const search: Backends['search'] = {
      async *search(_request, call) {
        searches++;
        await new Promise((_resolve, reject) => {
          call.signal.addEventListener('abort', () => reject(call.signal.reason));
        });
      },
    };
    const env = { ...deadlines, CADASTRE_GATEWAY_CONCURRENT: 'searches=1' };
    gateway = await startGateway({ reader: exampleReader, search }, env);
    const first = gateway.begin('/search?query-string=x');
    const further = () => gateway.send('/search?query-string=x', { method: 'HEAD', connected: true });
    await expect.poll(() => searches).toBe(1);
    expect((await further()).status).toBe(503);
    expect((await gateway.send(path)).status).toBe(200);
    first.gone();
  });

  it('of one client does not affect others', async () => {
    const { reader, waiting } = heldReader();
    const env = {
      ...deadlines,
      CADASTRE_GATEWAY_CONCURRENT: 'requests=6',
      CADASTRE_OPERATIONS: '127.0.0.1:0',
      CADASTRE_TRUSTED_PROXIES: '127.0.0.1',
    };
    gateway = await startGateway({ reader }, env);
    const running = async () => {
      const text = await (await fetch(`http://${gateway.gateway.operationsAddress()}/metrics`)).text();
      return /^cadastre_http_requests_in_flight\{queue="other".*\} (\d+)$/m.exec(text)?.[1];
    };
    const begin = (from: string) => gateway.begin(`${path}/versions/1`, { 'x-forwarded-for': from });
    const statusOf = async (from: string) => (await begin(from).answer).statusCode;
    const held = Array.from({ length: 4 }, () => begin('2001:db8:1::1'));
    // Each client has one version read at a time.
    await expect.poll(async () => [await running(), waiting.length]).toEqual(['4', 1]);
    expect(await statusOf('2001:db8:1:2::1')).toBe(503);
    held.push(begin('2001:db8:2::1'), begin('192.0.2.1'));
    await expect.poll(() => waiting.length).toBe(3);
    expect(await statusOf('192.0.2.2')).toBe(503);
    for (const { gone } of held) gone();
  });

  it('is accepted again when earlier clients have disconnected', async () => {
    const { reader, waiting } = heldReader();
    gateway = await startGateway({ reader }, { ...deadlines, CADASTRE_GATEWAY_CONCURRENT: 'requests=1' });
    const held = gateway.begin(`${path}/versions/1`);
    await expect.poll(() => waiting.length).toBe(1);
    expect((await gateway.send(path)).status).toBe(503);
    held.gone();
    await expect.poll(async () => (await gateway.send(path)).status).toBe(200);
  });

  it('is noticed by a process that comes late', async () => {
    gateway = await startGateway({ reader: exampleReader }, { CADASTRE_GATEWAY_EVENT_LOOP_DELAY: '200ms' });
    const busy = setInterval(() => {
      const until = performance.now() + 500;
      while (performance.now() < until);
    }, 1);
    await expect.poll(async () => (await gateway.send(path)).status).toBe(503);
    clearInterval(busy);
    await expect.poll(async () => (await gateway.send(path)).status).toBe(200);
  });
});

describe('slow clients', () => {
  it('with the headers get 408, and the connection closes', async () => {
    gateway = await startGateway({ reader: exampleReader }, {}, undefined, { requestTimeout: 300 });
    for (const { port, secure } of ports()) {
      const answer = await rawRequest(port, `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Slow`, secure);
      expect(answer).toMatch(/^HTTP\/1\.1 408 [\s\S]*<errormessage /);
    }
  });

  it('with the body too', async () => {
    const backends = { reader: exampleReader, auth: exampleAuth };
    gateway = await startGateway(backends, {}, undefined, { requestTimeout: 300 });
    const head = `PUT ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Basic good\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
    expect(await rawRequest(gateway.gateway.ports().https, head, {})).toMatch(/^HTTP\/1\.1 408 /);
  });

  it('and say nothing at all are closed', async () => {
    gateway = await startGateway({ reader: exampleReader }, {}, undefined, { requestTimeout: 300 });
    for (const { port, secure } of ports()) await rawRequest(port, '', secure);
  });
});

describe('connections', () => {
  it('beyond the maximum are closed immediately', async () => {
    gateway = await startGateway({ reader: exampleReader }, { CADASTRE_CONNECTIONS: '2' });
    const { http: port } = gateway.gateway.ports();
    const open = await Promise.all([openConnection(port), openConnection(port)]);
    expect(await rawRequest(port, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)).toBe('');
    for (const socket of open) socket.destroy();
    await expect
      .poll(async () => {
        const answer = await rawRequest(port, `GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
        return answer.startsWith('HTTP/1.1 200');
      })
      .toBe(true);
  });

  it('are to be closed by their client after the most requests that one may carry', async () => {
    gateway = await startGateway({ reader: exampleReader }, {}, undefined, { requestsPerConnection: 2 });
    for (const { port, secure } of ports()) {
      const socket = await openConnection(port, secure);
      let answers = '';
      socket.on('data', (chunk: Buffer) => {
        answers += chunk.toString();
      });
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(2));
      await expect.poll(() => answers.match(/<\/whois-resources>/g)?.length).toBe(2);
      expect(answers.match(/^connection: .*$/gim)).toEqual(['Connection: keep-alive', 'Connection: close']);
      socket.destroy();
    }
  });
});
