import http2, { type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2';
import { type AuthenticateRequest, AuthenticationOutcome } from '@cadastre/proto/auth';
import { type UpdateObjectRequest, WriteOutcome } from '@cadastre/proto/objects';
import type { SearchResponse } from '@cadastre/proto/search';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { selfSignedClient } from './client-identity.fixture.js';
import { exampleAuth, exampleReader, mntner, type RunningGateway, startGateway } from './gateway.fixture.js';
import { rawRequest } from './raw-request.fixture.js';

const path = '/TEST/mntner/EXAMPLE-MNT';
const json = { 'content-type': 'application/json', accept: 'application/json', authorization: 'Basic good' };
const alice = await selfSignedClient('alice');
let gateway: RunningGateway;
let updates: UpdateObjectRequest[] = [];
let searchesOpen = 0;
let credentials: AuthenticateRequest[] = [];
const slow = Promise.withResolvers<void>();
const sessions: ClientHttp2Session[] = [];

function page(): SearchResponse {
  const found = { object: mntner, related: false, managedAttributes: [], managedMaintainers: [], messages: [] };
  return { objects: Array(100).fill(found), flags: [], messages: [], serial: 0n };
}

beforeAll(async () => {
  gateway = await startGateway(
    {
      reader: {
        ...exampleReader,
        batchLookup: async (request, call) => {
          if (request.lookups.some(({ key }) => key?.key === 'SLOW-MNT')) await slow.promise;
          return exampleReader!.batchLookup!(request, call);
        },
      },
      auth: {
        authenticate: async (request) => {
          credentials.push(request);
          const principal = { credentials: [], accountId: '', accountName: '', apiKeyId: '', maintainers: [] };
          const outcome = AuthenticationOutcome.AUTHENTICATION_OUTCOME_AUTHENTICATED;
          return { outcome, principal: { ...principal, keyFingerprints: ['00'] }, messages: [] };
        },
      },
      search: {
        searchFirstPage: async () => ({ page: page(), cursor: Buffer.from('more') }),
        async *search() {
          searchesOpen++;
          try {
            for (;;) yield page();
          } finally {
            searchesOpen--;
          }
        },
      },
      writer: {
        updateObject: async (request) => {
          updates.push(request);
          const outcome = WriteOutcome.WRITE_OUTCOME_MODIFIED;
          return { result: { outcome, object: mntner, messages: [], serial: 42n } };
        },
      },
    },
    { CADASTRE_GATEWAY_DEADLINES: 'read=60s' },
    undefined,
    { bodyBytes: 4096, stallTimeout: 2000 },
  );
});
afterAll(() => gateway.stop());
beforeEach(() => {
  updates = [];
  credentials = [];
});
afterEach(() => {
  for (const session of sessions.splice(0)) session.destroy();
});

function connect(port: number | undefined, options: http2.SecureClientSessionOptions = {}): ClientHttp2Session {
  const session = http2.connect(`https://localhost:${port}`, {
    host: '127.0.0.1',
    rejectUnauthorized: false,
    ...options,
  });
  sessions.push(session);
  return session;
}

interface Answer {
  status: number;
  headers: http2.IncomingHttpHeaders;
  text: string;
}

function send(session: ClientHttp2Session, headers: OutgoingHttpHeaders, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const stream = session.request({ ':path': path, ...headers }, { endStream: body === undefined });
    let answer: http2.IncomingHttpHeaders = {};
    const chunks: Buffer[] = [];
    stream.on('response', (received) => {
      answer = received;
    });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('error', reject);
    stream.on('end', () => {
      resolve({ status: Number(answer[':status'] ?? 0), headers: answer, text: Buffer.concat(chunks).toString() });
    });
    if (body !== undefined) stream.end(body);
  });
}

describe('HTTP/2', () => {
  it('answers many requests on one connection as HTTP/1.1 does', async () => {
    const session = connect(gateway.gateway.ports().https);
    const one = await gateway.send(path);
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(session, {})));
    for (const { status, text, headers } of answers) {
      expect([status, text]).toEqual([200, one.text]);
      expect(headers).toMatchObject({ etag: one.headers.etag, 'strict-transport-security': 'max-age=31536000' });
    }
    expect((await send(session, { 'if-none-match': one.headers.etag })).status).toBe(304);
    expect(await send(session, { ':method': 'HEAD' })).toMatchObject({ status: 200, text: '' });
    expect((await send(session, { ':path': '/nowhere.json' })).status).toBe(404);
  });

  it('accepts writes', async () => {
    const attribute = [{ name: 'mntner', value: 'EXAMPLE-MNT' }];
    const body = JSON.stringify({ objects: { object: [{ attributes: { attribute } }] } });
    const session = connect(gateway.gateway.ports().https);
    const origin = `https://localhost:${gateway.gateway.ports().https}`;
    const answer = await send(session, { ':method': 'PUT', ...json, origin }, body);
    expect(answer).toMatchObject({ status: 200, headers: { 'cadastre-serial': '42' } });
    expect(updates[0]?.object?.attributes).toEqual(attribute);
  });

  it('refuses an unknown method, which HTTP/1.1 cannot read at all', async () => {
    const session = connect(gateway.gateway.ports().https);
    for (const method of ['BREW', 'get', 'constructor']) {
      const refused = await send(session, { ':method': method });
      expect(refused).toMatchObject({ status: 400, headers: { 'content-type': 'application/xml' } });
      expect(refused.text).toContain('<errormessage severity="Error" text="Bad Request"/>');
    }
    expect((await send(session, {})).status).toBe(200);
  });

  it('refuses a host beside another one', async () => {
    const session = connect(gateway.gateway.ports().https);
    const refused = await send(session, { ':authority': 'localhost', host: 'other.example', ...json });
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('A request must name one host')]);
    expect((await send(session, { ':authority': 'localhost', host: 'LOCALHOST' })).status).toBe(200);
    expect((await send(session, { host: 'other.example' })).status).toBe(200);
  });

  it('resets a stream with headers that are too large, as HTTP/1.1 answers 431', async () => {
    const session = connect(gateway.gateway.ports().https);
    expect((await send(session, { x: 'x'.repeat(10_000) })).status).toBe(200);
    await expect(send(session, { x: 'x'.repeat(17_000) })).rejects.toMatchObject({ code: 'ERR_HTTP2_STREAM_ERROR' });
    expect((await send(session, {})).status).toBe(200);
  });

  it('refuses a body that is too large, and the connection continues', async () => {
    const session = connect(gateway.gateway.ports().https);
    const refused = await send(session, { ':method': 'PUT', ...json }, ' '.repeat(500_000));
    expect([refused.status, JSON.parse(refused.text)]).toEqual([
      413,
      expect.objectContaining({
        errormessages: {
          errormessage: [expect.objectContaining({ severity: 'Error' })],
        },
      }),
    ]);
    expect((await send(session, {})).status).toBe(200);
  });

  it('cancels a request whose body does not come', async () => {
    // Its own one: a pause of the machine may end the requests of other tests.
    const hasty = await startGateway({ reader: exampleReader, auth: exampleAuth }, {}, undefined, {
      requestTimeout: 3000,
    });
    onTestFinished(() => hasty.stop());
    const session = connect(hasty.gateway.ports().https);
    const stream = session.request({ ':path': path, ':method': 'PUT', ...json }, { endStream: false });
    stream.on('error', () => {});
    stream.write('{');
    await new Promise((resolve) => stream.once('close', resolve));
    expect(stream.rstCode).toBe(http2.constants.NGHTTP2_CANCEL);
    expect((await send(session, {})).status).toBe(200);
  });

  it('ends the reply to a reader that stops, and its search; the other requests of its connection continue', async () => {
    const session = connect(gateway.gateway.ports().https);
    const waiting = send(session, { ':path': '/TEST/mntner/SLOW-MNT' });
    const stalled = session.request({ ':path': '/search?query-string=x' });
    stalled.on('error', () => {});
    await new Promise((resolve) => stalled.once('close', resolve));
    await expect.poll(() => searchesOpen).toBe(0);
    slow.resolve();
    expect((await waiting).status).toBe(404);
    expect(session.closed).toBe(false);
  });

  it('has the client certificate of its connection', async () => {
    const session = connect(gateway.gateway.ports().certificate, { cert: alice.cert, key: alice.key });
    await send(session, {});
    await send(session, {});
    expect(credentials.map(({ clientCertificate }) => clientCertificate.equals(alice.der))).toEqual([true, true]);
  });

  it('is not needed: who offers HTTP/1.1, or nothing, gets that', async () => {
    const request = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
    for (const options of [{ ALPNProtocols: ['http/1.1'] }, {}]) {
      expect(await rawRequest(gateway.gateway.ports().https, request, options)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    }
  });
});
