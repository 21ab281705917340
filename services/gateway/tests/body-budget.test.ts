import { request } from 'node:https';
import { gzipSync } from 'node:zlib';
import { type UpdateObjectRequest, WriteOutcome } from '@cadastre/proto/objects';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exampleAuth, exampleReader, mntner, type RunningGateway, startGateway } from './gateway.fixture.js';
import { openConnection, rawRequest } from './raw-request.fixture.js';

const path = '/TEST/mntner/EXAMPLE-MNT';
const json = { 'content-type': 'application/json', accept: 'application/json' };
const good = { ...json, authorization: 'Basic good' };
const object = '{"objects":{"object":[{"attributes":{"attribute":[{"name":"mntner","value":"EXAMPLE-MNT"}]}}]}}';
const mebibyte = 1024 * 1024;
let gateway: RunningGateway;
let updates: UpdateObjectRequest[] = [];
beforeEach(async () => {
  updates = [];
  const result = { outcome: WriteOutcome.WRITE_OUTCOME_MODIFIED, object: mntner, messages: [], serial: 1n };
  gateway = await startGateway(
    {
      reader: exampleReader,
      auth: exampleAuth,
      writer: {
        updateObject: async (update) => {
          updates.push(update);
          return { result };
        },
      },
    },
    { CADASTRE_OPERATIONS: '127.0.0.1:0' },
    undefined,
    // Bodies that never end stay until the end of a test.
    { requestTimeout: 600_000 },
  );
});
afterEach(() => gateway.stop());

async function held(): Promise<number> {
  const text = await (await fetch(`http://${gateway.gateway.operationsAddress()}/metrics`)).text();
  return Number(/^cadastre_http_body_bytes\{.*\} (\d+)$/m.exec(text)?.[1]);
}

/** Begins a write and sends this number of bytes of its body, which never ends. */
function beginBody(bytes: number, headers: Record<string, string>) {
  const sent = request({
    host: '127.0.0.1',
    port: gateway.gateway.ports().https,
    path,
    method: 'PUT',
    headers: { ...headers, 'content-length': String(bytes + 1) },
    rejectUnauthorized: false,
    agent: false,
  }).on('error', () => {});
  sent.write(Buffer.alloc(bytes, ' '));
  return sent;
}

describe('the body of a write', () => {
  it.each([
    ['PUT', 'Content-Length: 65537'],
    ['POST', 'Content-Length: 65537'],
    ['PUT', 'Transfer-Encoding: chunked'],
  ])('without credentials: %s with %s is answered before the body comes', async (method, length) => {
    const url = method === 'PUT' ? path : '/TEST/mntner';
    const head = `${method} ${url} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n${length}\r\n\r\n`;
    const answer = await rawRequest(gateway.gateway.ports().https, head, {});
    expect(answer).toMatch(/^HTTP\/1\.1 401 [\s\S]*www-authenticate: Basic /i);
    expect(updates).toEqual([]);
  });

  it('without credentials is read when it is small, so that the refusal can name maintainers', async () => {
    await gateway.send(path, {
      method: 'PUT',
      headers: { ...json, 'content-length': String(object.length) },
      body: object,
    });
    expect(updates).toMatchObject([{ options: { principal: undefined } }]);
  });

  it('is small without credentials where none are needed, and may be large with them', async () => {
    const headers = { 'content-type': 'text/plain' };
    const send = (size: number, more = {}) =>
      gateway.send('/syncupdates/TEST', { method: 'POST', headers: { ...headers, ...more }, body: 'x'.repeat(size) });
    expect((await send(3 * 65_536 + 1)).status).toBe(413);
    expect((await send(65_536)).status).toBe(200);
    expect((await send(mebibyte, { authorization: 'Basic good' })).status).toBe(200);
  });

  it('reserves its bytes in a common budget, whose exhaustion gives 503, and releases them', async () => {
    const bodies = Array.from({ length: 12 }, () => beginBody(4 * mebibyte, good));
    // One client gets half of the budget.
    await expect.poll(async () => (await held()) > 31 * mebibyte).toBe(true);
    const body = Buffer.concat([Buffer.alloc(2 * mebibyte, ' '), Buffer.from(object)]);
    const refused = await gateway.send(path, { method: 'PUT', headers: good, body, connected: true });
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '2', connection: 'close' } });
    expect(await held()).toBeLessThanOrEqual(32 * mebibyte);
    for (const one of bodies) one.destroy();
    await expect.poll(() => held()).toBe(0);
    expect((await gateway.send(path, { method: 'PUT', headers: good, body, connected: true })).status).toBe(200);
    await expect.poll(() => held()).toBe(0);
  });

  it('counts with its inflated length', async () => {
    const headers = { ...good, 'content-encoding': 'gzip' };
    const bomb = gzipSync(Buffer.alloc(5 * mebibyte, ' '));
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => gateway.send(path, { method: 'PUT', headers, body: bomb, connected: true })),
    );
    const statuses = new Set(answers.map(({ status }) => status));
    expect([...statuses].every((status) => status === 400 || status === 503)).toBe(true);
    await expect.poll(() => held()).toBe(0);
    expect((await gateway.send(path, { method: 'PUT', headers, body: gzipSync(object), connected: true })).status).toBe(
      200,
    );
  });

  it('that ends early returns its budget', async () => {
    const connection = await openConnection(gateway.gateway.ports().https, {});
    const head = Object.entries({ ...good, host: 'x', 'content-length': '999' }).map((pair) => pair.join(': '));
    connection.write(`PUT ${path} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n{"objects":`);
    await expect.poll(async () => (await held()) > 0).toBe(true);
    connection.destroy();
    await expect.poll(() => held()).toBe(0);
  });
});

it('the type of a write is checked before its credentials: the error names an unknown type', async () => {
  for (const [method, url] of [
    ['POST', '/TEST/persona'],
    ['PUT', '/TEST/persona/XX1-TEST'],
    ['DELETE', '/TEST/persona/XX1-TEST'],
  ] as const) {
    const answer = await gateway.send(url, { method, headers: json });
    expect(answer.status).toBe(400);
    expect(JSON.parse(answer.text).errormessages.errormessage[0].text).toBe('Invalid object type: persona');
  }
});
