import { connect } from 'node:net';
import {
  type ApplyChangesRequest,
  type CreateObjectRequest,
  type DeleteObjectRequest,
  type UpdateObjectRequest,
  WriteOutcome,
  type WriteResult,
} from '@cadastre/proto/objects';
import { Severity } from '@cadastre/proto/registry';
import iconv from 'iconv-lite';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  exampleAuth,
  exampleReader,
  mntner,
  type RunningGateway,
  type SendOptions,
  startGateway,
} from './gateway.fixture.js';

type Requested = {
  create?: CreateObjectRequest;
  update?: UpdateObjectRequest;
  delete?: DeleteObjectRequest;
  apply?: ApplyChangesRequest;
};

let requested: Requested = {};
let answer: WriteResult;
let gateway: RunningGateway;

const stored: WriteResult = {
  outcome: WriteOutcome.WRITE_OUTCOME_MODIFIED,
  object: mntner,
  messages: [],
  serial: 42n,
};

beforeAll(async () => {
  gateway = await startGateway(
    {
      reader: exampleReader,
      auth: exampleAuth,
      writer: {
        createObject: async (create) => {
          requested = { create };
          return { result: answer };
        },
        updateObject: async (update) => {
          requested = { update };
          return { result: answer };
        },
        deleteObject: async (request) => {
          requested = { delete: request };
          return { result: answer };
        },
        applyChanges: async (apply) => {
          requested = { apply };
          return { results: apply.changes.map(() => answer) };
        },
      },
    },
    {},
    undefined,
    { bodyBytes: 4096, bodyAttributes: 50 },
  );
});
afterAll(() => gateway.stop());
beforeEach(() => {
  requested = {};
  answer = stored;
});

const path = '/TEST/mntner/EXAMPLE-MNT';
const document = (...objects: { name: string; value: string }[][]) =>
  JSON.stringify({ objects: { object: objects.map((attribute) => ({ attributes: { attribute } })) } });
const body = document([
  { name: 'mntner', value: 'EXAMPLE-MNT' },
  { name: 'source', value: 'TEST' },
]);
const caller = { authorization: 'Basic good' };
const json = { 'content-type': 'application/json', accept: 'application/json', ...caller };
const put = (more: SendOptions = {}, url = path) => gateway.send(url, { method: 'PUT', headers: json, body, ...more });

describe('requests to the objects service', () => {
  const object = {
    attributes: [
      { name: 'mntner', value: 'EXAMPLE-MNT' },
      { name: 'source', value: 'TEST' },
    ],
  };

  it.each<[string, string, RequestInit['method'], string | undefined]>([
    ['POST', '/TEST/mntner?unfiltered=', 'POST', body],
    ['PUT', `${path}?dry-run=&unfiltered=`, 'PUT', body],
    ['DELETE', `${path}?unfiltered=`, 'DELETE', undefined],
  ])('%s as ripedb-go and the Terraform provider send it, with `unfiltered`', async (_, url, method, content) => {
    const options = { method, headers: json, ...(content === undefined ? {} : { body: content }) };
    expect((await gateway.send(url, options as SendOptions)).status).toBe(200);
    expect(Object.keys(requested)).toHaveLength(1);
  });

  it('PUT: key, object, caller and dry run', async () => {
    const headers = { ...json, authorization: 'Basic good' };
    expect((await put({ headers }, `/test/MNTNER/example-mnt?dry-run`)).status).toBe(200);
    expect(requested.update).toMatchObject({
      key: { source: 'test', type: 'MNTNER', key: 'example-mnt' },
      object,
      options: { dryRun: true, principal: { accountName: 'alice@example.net' }, clientAddress: '127.0.0.1' },
    });
  });

  it('POST: source, type, object and caller', async () => {
    await gateway.send('/TEST/mntner', { method: 'POST', headers: json, body });
    expect(requested.create).toMatchObject({ source: 'TEST', type: 'mntner', object, options: { dryRun: false } });
    expect(requested.create?.options?.principal?.accountName).toBe('alice@example.net');
  });

  it('DELETE: key and reason; a body and its type are ignored', async () => {
    const ignored = { headers: { 'content-type': 'text/plain', 'content-length': '7' }, body: 'ignored' };
    expect((await gateway.send(`${path}?reason=no+longer%20used`, { method: 'DELETE', ...ignored })).status).toBe(200);
    expect(requested.delete).toMatchObject({ key: { key: 'EXAMPLE-MNT' }, reason: 'no longer used' });
  });

  it('POST of references: both objects together', async () => {
    const pair = document([{ name: 'mntner', value: 'A-MNT' }], [{ name: 'person', value: 'A B' }]);
    expect((await gateway.send('/references/TEST', { method: 'POST', headers: json, body: pair })).status).toBe(200);
    expect(requested.apply?.source).toBe('TEST');
    expect(requested.apply?.changes.map(({ action, object: one }) => [action, one?.attributes[0]?.name])).toEqual([
      [1, 'mntner'],
      [1, 'person'],
    ]);
    for (const wrong of [
      body,
      document(),
      document([{ name: 'mntner', value: 'A' }], [{ name: 'mntner', value: 'B' }]),
    ]) {
      expect((await gateway.send('/references/TEST', { method: 'POST', headers: json, body: wrong })).status).toBe(400);
    }
  });

  it.each([
    ['application/json;charset=windows-1252', iconv.encode(body.replace('TEST"', 'é€"'), 'windows-1252')],
    ['application/json;charset=utf-16le', iconv.encode(body.replace('TEST"', 'é€"'), 'utf-16le')],
    ['application/json', Buffer.from(body.replace('TEST"', 'é€"'))],
    [
      'application/xml; charset=ISO-8859-15',
      iconv.encode(
        '<whois-resources><objects><object><attributes><attribute name="source" value="é€"/></attributes></object></objects></whois-resources>',
        'iso-8859-15',
      ),
    ],
  ])('the characters of %s', async (type, bytes) => {
    await put({ headers: { 'content-type': type, ...caller }, body: bytes });
    expect(requested.update?.object?.attributes.at(-1)).toEqual({ name: 'source', value: 'é€' });
  });
});

describe('responses', () => {
  it('the object with its serial, in the format asked for', async () => {
    const received = await put();
    expect(received).toMatchObject({
      status: 200,
      headers: { 'cadastre-serial': '42', 'content-type': 'application/json' },
    });
    expect(Object.keys(JSON.parse(received.text))).toEqual(['link', 'objects', 'terms-and-conditions']);
    const xml = await put({ headers: { 'content-type': 'application/json', ...caller } });
    expect(xml.headers['content-type']).toBe('application/xml');
    const raw = JSON.parse((await put({}, `${path}?unformatted`)).text);
    expect(raw.objects.object[0].attributes.attribute[0].value).toBe('         EXAMPLE-MNT');
  });

  it('no serial where nothing was stored', async () => {
    answer = { ...stored, outcome: WriteOutcome.WRITE_OUTCOME_UNCHANGED, serial: 0n };
    expect((await put()).headers).not.toHaveProperty('cadastre-serial');
  });

  it.each([
    [WriteOutcome.WRITE_OUTCOME_CREATED, 200],
    [WriteOutcome.WRITE_OUTCOME_UNCHANGED, 200],
    [WriteOutcome.WRITE_OUTCOME_INVALID, 400],
    [WriteOutcome.WRITE_OUTCOME_UNAUTHORISED, 401],
    [WriteOutcome.WRITE_OUTCOME_EXISTS, 409],
    [WriteOutcome.WRITE_OUTCOME_REFERENCED, 409],
    [WriteOutcome.WRITE_OUTCOME_NOT_FOUND, 404],
  ])('outcome %d is status %d, with the messages in order', async (outcome, status) => {
    const info = { severity: Severity.SEVERITY_INFO, text: 'an info', args: [] };
    const error = { severity: Severity.SEVERITY_ERROR, text: 'Error with %s', args: ['value'] };
    answer = { outcome, messages: [info, error], serial: 0n, ...(status === 200 ? { object: mntner } : {}) };
    const received = await put();
    expect(received.status).toBe(status);
    expect(received.headers['www-authenticate'] !== undefined).toBe(status === 401);
    const { errormessage } = JSON.parse(received.text).errormessages;
    expect(errormessage.map((one: { text: string }) => one.text)).toEqual(['Error with %s', 'an info']);
  });
});

describe('HTTPS (W6)', () => {
  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('%s over HTTP is refused with 426', async (method) => {
    const received = await gateway.send(path, { method, headers: json, secure: false });
    expect(received).toMatchObject({ status: 426, headers: { upgrade: 'TLS/1.2, HTTP/1.1' } });
    expect(JSON.parse(received.text)).toHaveProperty('errormessages');
    expect(requested).toEqual({});
  });

  it('credentials over HTTP are refused with 426, reads too', async () => {
    const headers = { authorization: 'Basic good' };
    expect((await gateway.send(path, { headers, secure: false })).status).toBe(426);
  });

  it('does not read the body, nor ask for it', async () => {
    const socket = connect(gateway.gateway.ports().http, '127.0.0.1');
    socket.write(
      `PUT ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000000000\r\nExpect: 100-continue\r\n\r\n`,
    );
    const chunks: Buffer[] = [];
    for await (const chunk of socket) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toMatch(/^HTTP\/1\.1 426 /);
  });
});

describe('requests that cannot be processed, each with an error body in the format asked for', () => {
  const xml = { ...json, 'content-type': 'application/xml' };
  it.each<[string, string, SendOptions, number]>([
    ['an unknown path', '/nowhere', {}, 404],
    ['a path below a fixed one', '/search/x?query-string=x', {}, 404],
    ['a path that is no UTF-8', '/TEST/person/%E9', {}, 400],
    ['a wrong method', path, { method: 'POST', body }, 405],
    ['an unknown method', path, { method: 'PATCH', body }, 405],
    ['a write to a version', `${path}/versions/1`, { method: 'DELETE' }, 405],
    ['a misspelt dry run', `${path}?dryrun`, { method: 'PUT', body }, 400],
    ['a credential in the URL', `${path}?apiKey=hunter2hunter2`, { method: 'PUT', body }, 400],
    ['an unknown parameter of a deletion', `${path}?raeson=x`, { method: 'DELETE' }, 400],
    ['a mistyped dry run', `${path}?dry-run=ture`, { method: 'PUT', body }, 400],
    ['a password', `${path}?password=x`, { method: 'PUT', body }, 400],
    ['an override', `${path}?override=a,b,c`, { method: 'DELETE' }, 400],
    ['a wrong credential', path, { method: 'PUT', body, headers: { ...json, authorization: 'Basic bad' } }, 401],
    ['no Content-Type', path, { method: 'PUT', headers: { accept: 'application/json', ...caller }, body }, 415],
    ['no Content-Type and no body', path, { method: 'PUT', headers: { accept: 'application/json', ...caller } }, 415],
    ['another Content-Type', path, { method: 'PUT', headers: { ...json, 'content-type': 'text/plain' }, body }, 415],
    ['a broken Content-Type', path, { method: 'PUT', headers: { ...json, 'content-type': 'nonsense' }, body }, 415],
    ['a compressed body', path, { method: 'PUT', headers: { ...json, 'content-encoding': 'br' }, body }, 415],
    [
      'an unknown charset',
      path,
      { method: 'PUT', headers: { ...json, 'content-type': 'application/json;charset=x' }, body },
      400,
    ],
    [
      'UTF-16 as latin-1',
      path,
      {
        method: 'PUT',
        headers: { ...json, 'content-type': 'application/json;charset=iso-8859-1' },
        body: iconv.encode(body, 'utf-16le', { addBOM: true }),
      },
      400,
    ],
    ['an undecodable body', path, { method: 'PUT', body: Buffer.from([0x7b, 0xff]) }, 400],
    ['an empty body', path, { method: 'PUT' }, 400],
    ['broken JSON', path, { method: 'PUT', body: '{' }, 400],
    ['broken XML', path, { method: 'PUT', headers: xml, body: '<whois-resources>' }, 400],
    ['a DOCTYPE', path, { method: 'PUT', headers: xml, body: '<!DOCTYPE a><whois-resources/>' }, 400],
    ['no object', path, { method: 'PUT', body: '{}' }, 400],
    ['two objects', path, { method: 'PUT', body: document([], []) }, 400],
    ['too many attributes', path, { method: 'PUT', body: document(Array(51).fill({ name: 'a', value: '' })) }, 400],
    ['a large body', path, { method: 'PUT', body: ' '.repeat(5000) }, 413],
    [
      'a large body of unknown length',
      path,
      { method: 'PUT', headers: { ...json, 'transfer-encoding': 'chunked' }, body: ' '.repeat(5000) },
      413,
    ],
  ])('%s', async (_what, url, options, status) => {
    const received = await gateway.send(url, { headers: json, ...options });
    expect(received.status).toBe(status);
    expect(received.headers['content-type']).toBe('application/json');
    expect(received.headers['cache-control']).toContain('no-store');
    const { link, errormessages } = JSON.parse(received.text);
    expect(errormessages.errormessage[0].severity).toBe('Error');
    expect(link.href).not.toMatch(/password|override/);
    expect(received.text).not.toMatch(/hunter2|apikey/i);
    expect(requested).toEqual({});
  });

  it('405 and OPTIONS list the allowed methods', async () => {
    expect((await gateway.send(path, { method: 'POST' })).headers.allow).toBe('GET, HEAD, PUT, DELETE, OPTIONS');
    expect((await gateway.send('/TEST/mntner')).headers.allow).toBe('POST, OPTIONS');
    expect(await gateway.send(path, { method: 'OPTIONS' })).toMatchObject({ status: 200, text: '' });
  });

  it.each<[string, SendOptions, string]>([
    ['Accept', { headers: { accept: 'text/html' } }, path],
    ['Accept of a write', { method: 'PUT', headers: { ...json, accept: 'text/plain' }, body }, path],
    ['extension of a write', { method: 'PUT', headers: json, body }, `${path}.txt`],
  ])('an unsupported %s is 415 in XML (F2)', async (_what, options, url) => {
    const received = await gateway.send(url, options);
    expect(received).toMatchObject({ status: 415, headers: { 'content-type': 'application/xml' } });
    expect(requested).toEqual({});
  });

  it('data that is not HTTP gets a response, and the connection closes', async () => {
    const long = `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    for (const [sent, status] of [
      ['nonsense\r\n\r\n', 400],
      [long, 431],
    ] as const) {
      const socket = connect(gateway.gateway.ports().http, '127.0.0.1');
      socket.write(sent);
      const chunks: Buffer[] = [];
      for await (const chunk of socket) chunks.push(chunk);
      expect(Buffer.concat(chunks).toString()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [\\s\\S]*<errormessage `));
    }
  });
});

it('a GET response can be sent back by PUT', async () => {
  for (const [type, extension] of [
    ['application/json', 'json'],
    ['application/xml', 'xml'],
  ]) {
    for (const query of ['', '?unformatted']) {
      const { text } = await gateway.send(`${path}.${extension}${query}`);
      expect((await put({ headers: { 'content-type': type!, ...caller }, body: text })).status).toBe(200);
      expect(requested.update?.object?.attributes.map(({ name }) => name)).toEqual([
        'mntner',
        'admin-c',
        'mnt-by',
        'source',
      ]);
    }
  }
});
