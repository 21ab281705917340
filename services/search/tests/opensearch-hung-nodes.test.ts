import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import type { SearchIndex } from '../src/index-port.js';
import { createOpenSearchIndex } from '../src/opensearch/opensearch-index.js';

/** A node that finds nothing, and hangs in some requests. */
interface Node {
  readonly url: string;
  /** The methods of its requests, without pings. */
  readonly methods: string[];
  /** Number of requests whose client has left without a response. */
  readonly left: { count: number };
  /** Responds to all requests from now on, and to those in which it hangs. */
  continue(): void;
}

type Hangs = (request: IncomingMessage) => boolean;

const servers: Server[] = [];
const indexes: SearchIndex[] = [];

afterEach(async () => {
  vi.useRealTimers();
  for (const server of servers) server.closeAllConnections();
  for (const index of indexes.splice(0)) await index.stop();
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve));
});

/** With `half` it sends a half of the response before it hangs. */
async function startNode(hangs: Hangs = () => false, half = ''): Promise<Node> {
  let isHung = true;
  const [methods, left, hung] = [[] as string[], { count: 0 }, new Set<ServerResponse>()];
  const server = createServer((request, response) => {
    const { method } = request;
    if (method !== 'HEAD') methods.push(method!);
    request.resume();
    response.setHeader('content-type', 'application/json');
    if (!isHung || !hangs(request)) return response.end('{}');
    hung.add(response);
    response.once('close', () => {
      if (!response.writableFinished) left.count++;
    });
    if (half) response.write(half);
    return undefined;
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    methods,
    left,
    continue: () => {
      isHung = false;
      for (const response of hung) response.end(half ? '}' : '{}');
    },
  };
}

function indexOn(nodes: readonly Node[], timeoutMs?: number): SearchIndex {
  const index = createOpenSearchIndex({ url: nodes.map(({ url }) => url), ...(timeoutMs && { timeoutMs }) });
  indexes.push(index);
  return index;
}

/** From now on no read counts as slow, and no node comes back: their clock stands still. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
}

/** Lets half a second pass, after which a read without a response goes to another node. */
function passHalfSecond(): void {
  vi.advanceTimersByTime(500);
}

/** Waits without moving the clock. */
async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await delay(5);
}

const always: Hangs = () => true;
const isRead: Hangs = ({ method }) => method === 'GET';
const isWrite: Hangs = ({ method }) => method === 'PUT';
const emptyBatch = { after: 0n, documents: [], deletions: [], serial: 1n };

test.each<[string, Hangs, string]>([
  ['hangs', always, ''],
  ['hangs in the middle of its responses', always, '{'],
  ['responds to pings, but asks another one that hangs', isRead, ''],
])('reads go to other nodes while one %s, and come back to it afterwards', async (_, hangs, half) => {
  const hung = await startNode(hangs, half);
  const others = [await startNode(), await startNode()];
  const index = indexOn([hung, ...others]);
  stopClock();
  const first = index.check();
  await until(() => hung.methods.length > 0);
  passHalfSecond();
  await first;
  for (let n = 1; n < 9; n++) await index.check();
  await until(() => hung.left.count > 0);
  expect(hung.methods).toEqual(['GET']);
  expect(hung.left.count).toBe(1);
  expect(others.map(({ methods }) => methods.length).sort()).toEqual([4, 5]);
  vi.useRealTimers();
  hung.continue();
  await expect
    .poll(async () => {
      await index.check();
      return hung.methods.length;
    })
    .toBeGreaterThan(1);
});

test('a slow node that responds first stays in use, and the repeat is cancelled', async () => {
  const slow = await startNode(isRead);
  const other = await startNode(isRead);
  const index = indexOn([slow, other]);
  stopClock();
  const checked = index.check();
  await until(() => slow.methods.length > 0);
  passHalfSecond();
  await until(() => other.methods.length > 0);
  slow.continue();
  await checked;
  await until(() => other.left.count > 0);
  other.continue();
  for (let n = 0; n < 4; n++) await index.check();
  expect([slow, other].map(({ methods }) => methods.length)).toEqual([3, 3]);
});

test('when all nodes are slow, few reads are repeated', async () => {
  const nodes = [await startNode(isRead), await startNode(isRead), await startNode(isRead)];
  const index = indexOn(nodes);
  stopClock();
  const checks = Promise.all(Array.from({ length: 100 }, () => index.check()));
  const requests = () => nodes.reduce((sum, { methods }) => sum + methods.length, 0);
  await until(() => requests() >= 100);
  passHalfSecond();
  await until(() => requests() >= 132);
  passHalfSecond();
  for (const node of nodes) node.continue();
  await checks;
  expect(requests()).toBe(132);
});

test('a write goes to another node only when it has timed out', async () => {
  const hung = await startNode(isWrite);
  const other = await startNode();
  // Of the reads of a batch, none is repeated; only the write times out, after twice this time.
  stopClock();
  const index = indexOn([other, hung], 2_500);
  await index.apply('TEST', emptyBatch);
  expect(hung.methods.filter((method) => method === 'PUT')).toHaveLength(1);
  expect(other.methods.filter((method) => method === 'PUT')).toHaveLength(2);
});

test('a write goes to another node when its node responds to no ping', async () => {
  let isHung = false;
  const hung = await startNode(({ method }) => {
    isHung ||= method === 'PUT';
    return isHung;
  });
  const other = await startNode();
  const index = indexOn([other, hung]);
  let isApplied = false;
  const applied = index.apply('TEST', emptyBatch).then(() => {
    isApplied = true;
  });
  await expect
    .poll(async () => {
      await index.check();
      return isApplied;
    })
    .toBe(true);
  await applied;
  expect(hung.methods.filter((method) => method === 'PUT')).toHaveLength(1);
});

test('a read of the only node times out', async () => {
  const hung = await startNode(always, '{');
  await expect(indexOn([hung], 300).check()).rejects.toMatchObject({ kind: 'timeout' });
  await expect.poll(() => hung.left.count).toBe(1);
});

test('a read ends when its caller gives up', async () => {
  const hung = await startNode(always);
  const caller = new AbortController();
  const read = expect(indexOn([hung]).query('TEST', [], caller.signal)).rejects.toThrow('enough');
  await expect.poll(() => hung.methods).toEqual(['GET']);
  caller.abort(new Error('enough'));
  await read;
  await expect.poll(() => hung.left.count).toBe(1);
});
