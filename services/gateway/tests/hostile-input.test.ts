import { gzipSync } from 'node:zlib';
import { type UpdateObjectRequest, WriteOutcome } from '@cadastre/proto/objects';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  exampleAuth,
  exampleReader,
  mntner,
  type RunningGateway,
  type SendOptions,
  startGateway,
} from './gateway.fixture.js';
import { rawRequest } from './raw-request.fixture.js';

const path = '/TEST/mntner/EXAMPLE-MNT';
const json = { 'content-type': 'application/json', accept: 'application/json', authorization: 'Basic good' };
const xml = { ...json, 'content-type': 'application/xml' };
let updates: UpdateObjectRequest[] = [];
let gateway: RunningGateway;

beforeAll(async () => {
  const result = { outcome: WriteOutcome.WRITE_OUTCOME_MODIFIED, object: mntner, messages: [], serial: 1n };
  gateway = await startGateway(
    {
      reader: exampleReader,
      auth: exampleAuth,
      writer: {
        updateObject: async (request) => {
          updates.push(request);
          return { result };
        },
      },
    },
    {},
    undefined,
    { bodyBytes: 65_536, bodyObjects: 3, bodyAttributes: 100, bodyDepth: 10, urlBytes: 1024, parameters: 20 },
  );
});
afterAll(() => gateway.stop());
beforeEach(() => {
  updates = [];
});

const objects = (...lists: { name: string; value: string }[][]) =>
  JSON.stringify({ objects: { object: lists.map((attribute) => ({ attributes: { attribute } })) } });
const good = objects([{ name: 'mntner', value: 'EXAMPLE-MNT' }]);

/** For any fault, the answer is a document with an error in the requested format, and nothing is written. */
async function refused(url: string, options: SendOptions = {}) {
  const received = await gateway.send(url, { headers: { accept: 'application/json' }, ...options });
  expect(received.headers['content-type']).toBe('application/json');
  expect(JSON.parse(received.text).errormessages.errormessage[0].severity).toBe('Error');
  expect(updates).toEqual([]);
  return received.status;
}

describe('paths and queries', () => {
  it.each([
    ['broken percent-encoding', '/TEST/person/%', 400],
    ['percent-encoding of no hexadecimal digits', '/TEST/person/%zz', 400],
    ['invalid UTF-8', '/TEST/person/%C3%28', 400],
    ['an overlong slash', '/TEST/person/%C0%AF', 400],
    ['a surrogate', '/TEST/person/%ED%A0%80', 400],
    ['NUL', '/TEST/person/%00', 400],
    ['a line end', '/TEST/person/X%0D%0AX-Header:%20a', 400],
    ['a control character in the source', '/TE%1BST/person/XX1-TEST', 400],
    ['a long s in the source', '/TE%C5%BFT/mntner/EXAMPLE-MNT', 400],
    ['a Kelvin sign in the type', '/TEST/%E2%84%AAey-cert/X509-1', 400],
    ['a long s as template', '/metadata/templates/per%C5%BFon', 400],
    ['dot segments', '/TEST/person/../../../etc/passwd', 404],
    ['encoded dot segments', '/TEST/person/%2e%2e%2f%2e%2e%2fetc%2fpasswd', 404],
    ['a backslash', '/TEST/person/..%5c..%5cetc', 404],
    ['a type that objects have anyway', '/TEST/constructor/X', 400],
    ['__proto__ as type', '/TEST/__proto__/X', 400],
    ['__proto__ as source', '/__proto__/person/XX1-TEST', 400],
    ['__proto__ as template', '/metadata/templates/__proto__', 400],
    ['toString as template', '/metadata/templates/toString', 400],
    ['a dot only', '/.', 404],
    ['invalid UTF-8 in the query', `${path}?x=%FF`, 400],
    ['NUL in the query', '/search?query-string=a%00b', 400],
    ['a control character in the name of a parameter', `${path}?unfil%08tered`, 400],
    ['broken percent-encoding in the query', '/search?query-string=100%', 400],
    ['a flag that is given twice', `${path}?unfiltered&unfiltered=false`, 400],
    ['a search term that is given twice', '/search?query-string=a&query-string=b', 400],
    ['an address that is given twice', '/geolocation.json?ipkey=192.0.2.1&ipkey=192.0.2.2', 400],
    ['too many parameters', `/search?query-string=x${'&source=A'.repeat(20)}`, 400],
    ['a long path', `/TEST/person/${'x'.repeat(1100)}`, 414],
    ['a long query', `/search?query-string=${'x'.repeat(1100)}`, 414],
  ])('%s', async (what, url, status) => {
    if (what === 'an address that is given twice') {
      // Its errors are plain text (decision R12).
      expect(await gateway.send(url)).toMatchObject({ status, text: expect.stringContaining('more than once') });
      return;
    }
    expect(await refused(url)).toBe(status);
  });

  it('percent-encoding in any legal form means the same', async () => {
    const plain = await gateway.send(path);
    for (const url of [
      '/%54EST/mntner/EXAMPLE-MNT',
      '/TEST%2Fmntner%2fEXAMPLE-MNT',
      '/TEST/mntner/%45%58AMPLE%2DMNT',
      '//TEST///mntner/EXAMPLE-MNT',
      '/whois/TEST/mntner/EXAMPLE-MNT',
      '/TEST/mntner/EXAMPLE-MNT?un%66iltered=%66alse',
    ]) {
      expect(await gateway.send(url)).toMatchObject({ status: 200, text: plain.text });
    }
  });
});

describe('bodies', () => {
  const bomb = gzipSync(Buffer.alloc(10_000_000, ' '));
  const entities = `<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "${'&a;'.repeat(10)}">]><whois-resources>&b;</whois-resources>`;
  const external = '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><whois-resources>&e;</whois-resources>';
  const attribute = (value: string) =>
    `<whois-resources><objects><object><attributes><attribute name="mntner" value="${value}"/></attributes></object></objects></whois-resources>`;

  it.each<[string, SendOptions, number]>([
    ['too many objects, JSON', { headers: json, body: objects([], [], [], []) }, 400],
    [
      'too many objects, XML',
      { headers: xml, body: `<whois-resources><objects>${'<object/>'.repeat(4)}</objects></whois-resources>` },
      400,
    ],
    ['too deep, JSON', { headers: json, body: '{"parameters":'.repeat(11) }, 400],
    ['too deep, XML', { headers: xml, body: `<whois-resources>${'<x>'.repeat(11)}` }, 400],
    [
      'too many lines',
      { headers: json, body: objects([{ name: 'mntner', value: `EXAMPLE-MNT${'\n'.repeat(400)}` }]) },
      400,
    ],
    ['too many values', { headers: json, body: `{"parameters":[${'[],'.repeat(15_000)}[]]}` }, 400],
    ['too many elements', { headers: xml, body: `<whois-resources>${'<x/>'.repeat(5_000)}</whois-resources>` }, 400],
    ['entities within entities', { headers: xml, body: entities }, 400],
    ['an external entity', { headers: xml, body: external }, 400],
    ['an external DTD', { headers: xml, body: '<!DOCTYPE x SYSTEM "http://192.0.2.1/x.dtd"><whois-resources/>' }, 400],
    ['an undeclared entity', { headers: xml, body: attribute('&e;') }, 400],
    ['a character that XML does not have', { headers: xml, body: attribute('&#0;') }, 400],
    ['__proto__ as member', { headers: json, body: '{"__proto__":{"polluted":true},"objects":{}}' }, 400],
    ['constructor as member', { headers: json, body: '{"constructor":{"prototype":{"polluted":true}}}' }, 400],
    [
      '__proto__ as attribute',
      { headers: json, body: objects([{ name: '__proto__ ', value: 'x' }]).replace('"name"', '"__proto__":{},"name"') },
      400,
    ],
    ['a bomb', { headers: { ...json, 'content-encoding': 'gzip' }, body: bomb }, 413],
    ['a bomb as deflate', { headers: { ...json, 'content-encoding': 'deflate' }, body: bomb }, 413],
    ['damaged gzip', { headers: { ...json, 'content-encoding': 'gzip' }, body: gzipSync(good).subarray(0, 20) }, 400],
    ['no gzip', { headers: { ...json, 'content-encoding': 'gzip' }, body: good }, 400],
    ['gzip twice', { headers: { ...json, 'content-encoding': 'gzip, gzip' }, body: gzipSync(gzipSync(good)) }, 415],
    ['an unknown compression', { headers: { ...json, 'content-encoding': 'br' }, body: good }, 415],
    ['invalid UTF-8', { headers: json, body: Buffer.from('{"objects":"\xff"}', 'latin1') }, 400],
  ])('%s', async (_what, options, status) => {
    expect(await refused(path, { method: 'PUT', ...options })).toBe(status);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it.each([
    ['gzip', gzipSync(good)],
    ['X-GZIP', gzipSync(good)],
    ['identity', Buffer.from(good)],
  ])('%s is accepted', async (encoding, body) => {
    const headers = { ...json, 'content-encoding': encoding };
    expect((await gateway.send(path, { method: 'PUT', headers, body })).status).toBe(200);
    expect(updates[0]?.object?.attributes).toEqual([{ name: 'mntner', value: 'EXAMPLE-MNT' }]);
  });

  it('a refused compression gets the list of accepted ones', async () => {
    const headers = { ...json, 'content-encoding': 'br' };
    const received = await gateway.send(path, { method: 'PUT', headers, body: good });
    expect(received.headers['accept-encoding']).toBe('gzip, deflate, identity');
  });
});

describe('malformed HTTP', () => {
  const send = (lines: string[], secure?: object) =>
    rawRequest(gateway.gateway.ports()[secure ? 'https' : 'http'], `${lines.join('\r\n')}\r\n\r\n`, secure);

  it.each<[string, string[], string]>([
    ['no Host', [`GET ${path} HTTP/1.1`, 'Accept: application/json'], '400'],
    ['two hosts', [`GET ${path} HTTP/1.1`, 'Host: x', 'Host: y'], '400'],
    ['a host twice', [`GET ${path} HTTP/1.1`, 'Host: x', 'Accept: application/json', 'host: x'], '400'],
    ['another host in the request line', [`GET http://y${path} HTTP/1.1`, 'Host: x'], '400'],
    ['an unknown method', [`BREW ${path} HTTP/1.1`, 'Host: x'], '400'],
    ['an unencoded character', ['GET /TEST/person/\xe9 HTTP/1.1', 'Host: x'], '400'],
    ['a space in the path', ['GET /TEST/person/a b HTTP/1.1', 'Host: x'], '400'],
    ['two lengths', [`PUT ${path} HTTP/1.1`, 'Host: x', 'Content-Length: 1', 'Content-Length: 2'], '400'],
    [
      'length and chunks',
      [`PUT ${path} HTTP/1.1`, 'Host: x', 'Content-Length: 1', 'Transfer-Encoding: chunked'],
      '400',
    ],
    ['a folded header', [`GET ${path} HTTP/1.1`, 'Host: x', 'Accept: text/plain,', ' text/html'], '400'],
    ['NUL in a header', [`GET ${path} HTTP/1.1`, 'Host: x', 'Accept: a\0b'], '400'],
    ['large headers', [`GET ${path} HTTP/1.1`, 'Host: x', `X: ${'x'.repeat(20_000)}`], '431'],
    ['another version', [`GET ${path} HTTP/3.0`, 'Host: x'], '400'],
    ['TLS where there is none', ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'], '400'],
  ])('%s is answered, and the connection ends', async (_what, lines, status) => {
    for (const secure of [undefined, {}]) {
      const answer = await send(lines, secure);
      expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
      expect(answer).toContain('rror');
    }
  });

  it.each(['TRACE', 'PROPFIND', 'PATCH', 'LINK', 'QUERY'])('%s is not allowed', async (method) => {
    expect(await refused(path, { method })).toBe(405);
  });

  it.each(['POST', 'PATCH', 'QUERY'])('%s is not allowed, whatever its Content-Type', async (method) => {
    expect(
      await refused('/metadata/sources', {
        method,
        headers: { accept: 'application/json', 'content-type': ';' },
        body: 'x',
      }),
    ).toBe(405);
  });

  it.each(['GET', 'POST', 'OPTIONS', 'PATCH', 'QUERY'])(
    '%s of unknown paths below reserved words is 404',
    async (method) => {
      for (const unknown of ['/syncupdates/TEST/x', '/docs/x/y', '/nowhere']) {
        expect(await refused(unknown, { method }), unknown).toBe(404);
      }
    },
  );

  it('a proxy request is about this service all the same', async () => {
    const answer = await send([`GET http://192.0.2.1${path} HTTP/1.1`, 'Host: 192.0.2.1', 'Connection: close']);
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).not.toContain('192.0.2.1');
  });

  it('CONNECT is refused', async () => {
    const lines = ['CONNECT 192.0.2.1:25 HTTP/1.1', 'Host: 192.0.2.1:25'];
    for (const secure of [undefined, {}])
      expect(await send(lines, secure)).toMatch(/^HTTP\/1\.1 405 [\s\S]*<errormessage /);
  });

  it('an unknown expectation changes nothing', async () => {
    const lines = [`GET ${path} HTTP/1.1`, 'Host: x', 'Expect: the-unexpected', 'Connection: close'];
    for (const secure of [undefined, {}]) expect(await send(lines, secure)).toMatch(/^HTTP\/1\.1 200 /);
  });
});
