import http2 from 'node:http2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exampleReader, type RunningGateway, startGateway } from './gateway.fixture.js';

const held = '/TEST/mntner/EXAMPLE-MNT/versions/1';
let gateway: RunningGateway;
let waiting = 0;

beforeAll(async () => {
  const getVersion = () => {
    waiting++;
    return new Promise<never>(() => {});
  };
  gateway = await startGateway(
    { reader: { ...exampleReader, getVersion } },
    { CADASTRE_OPERATIONS: '127.0.0.1:0', CADASTRE_GATEWAY_DEADLINES: 'read=10m' },
  );
});
afterAll(() => gateway.stop());

async function counted(route: string, status: string): Promise<number> {
  const text = await (await fetch(`http://${gateway.gateway.operationsAddress()}/metrics`)).text();
  const line = new RegExp(`^cadastre_http_requests_total\\{route="${route}",status="${status}",.*\\} (\\d+)$`, 'm');
  return Number(line.exec(text)?.[1] ?? 0);
}

it('counts a response by its status', async () => {
  await gateway.send('/TEST/mntner/EXAMPLE-MNT', { connected: true });
  await expect.poll(() => counted('object', '200')).toBe(1);
  expect(await counted('object', 'aborted')).toBe(0);
});

it.each([
  ['HTTP/1.1', () => gateway.begin(held).gone],
  ['HTTP/2', beginHttp2],
])('counts a request over %s whose client disconnects before the answer', async (_version, begin) => {
  const [waited, aborted] = [waiting, await counted('version', 'aborted')];
  const gone = begin();
  await expect.poll(() => waiting > waited).toBe(true);
  gone();
  await expect.poll(async () => (await counted('version', 'aborted')) > aborted).toBe(true);
});

function beginHttp2(): () => void {
  const session = http2.connect(`https://127.0.0.1:${gateway.gateway.ports().https}`, { rejectUnauthorized: false });
  session.request({ ':path': held }).end();
  return () => session.destroy();
}
