import type { FindAbuseContactResponse, LocateResponse } from '@cadastre/proto/geo';
import { failureMessage, failureOf, ServiceError } from '@cadastre/service';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { exampleAuth, exampleReader, type RunningGateway, startGateway } from './gateway.fixture.js';

let gateway: RunningGateway;
const requested: string[] = [];
let locate: () => LocateResponse;
let findContact: () => FindAbuseContactResponse;

beforeAll(async () => {
  gateway = await startGateway({
    reader: exampleReader,
    auth: exampleAuth,
    geolocation: {
      locate: async ({ resource }) => {
        requested.push(resource);
        return locate();
      },
    },
    abuseContacts: {
      batchFindAbuseContacts: async ({ resources }) => {
        requested.push(...resources);
        return { answers: resources.map(() => answerOf(findContact)) };
      },
    },
  });
});
afterEach(() => void requested.splice(0));
afterAll(() => gateway.stop());

/** The answer of a batch for a resource for which the single call returns or throws this. */
function answerOf<T extends object>(single: () => T) {
  try {
    return single();
  } catch (error) {
    const { kind } = error as ServiceError;
    if (kind === 'invalid' || kind === 'not-found') return { failure: failureOf(error) };
    throw error;
  }
}

const refused = (kind: 'invalid' | 'not-found' | 'unavailable', text: string) => () => {
  throw new ServiceError(kind, [failureMessage(text, ['X'])]);
};
const holder = { source: 'TEST', type: 'inetnum', key: '192.0.2.0 - 192.0.2.255' };
const text = 'text/plain;charset=utf-8';

describe('geolocation', () => {
  const found = () => ({ location: { geoloc: { value: '52.37 4.89', holder }, languages: [{ value: 'en', holder }] } });

  it('answers in three formats, with links to the objects that say it', async () => {
    locate = found;
    const base = `https://localhost:${gateway.gateway.ports().https}`;
    const link = { type: 'locator', href: `${base}/test/inetnum/192.0.2.0 - 192.0.2.255` };
    const json = await gateway.send('/geolocation.json?ipkey=192.0.2.1');
    expect(json).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(json.text)).toEqual({
      link: { type: 'locator', href: `${base}/geolocation?ipkey=192.0.2.1` },
      service: { name: 'geolocation-finder' },
      'geolocation-attributes': { location: [{ value: '52.37 4.89', link }], language: [{ value: 'en', link }] },
      'terms-and-conditions': { type: 'locator', href: expect.any(String) },
    });
    expect((await gateway.send('/geolocation?ipkey=192.0.2.1')).text).toContain('<location value="52.37 4.89">');
    const plain = await gateway.send('/geolocation?ipkey=192.0.2.1', { headers: { accept: 'text/plain' } });
    expect([plain.headers['content-type'], plain.text]).toEqual([
      text,
      'geoloc:         52.37 4.89\nlanguage:       en\n',
    ]);
  });

  it('has an empty list of languages where none is known', async () => {
    locate = () => ({ location: { geoloc: { value: '52.37 4.89', holder }, languages: [] } });
    const { text: document } = await gateway.send('/geolocation.json?ipkey=192.0.2.1');
    expect(JSON.parse(document)['geolocation-attributes']).toMatchObject({ language: [] });
    expect((await gateway.send('/geolocation?ipkey=192.0.2.1')).text).not.toContain('<language');
  });

  it.each([
    ['ipkey=2001:db8::1', '2001:db8::1'],
    ['key=192.0.2.0/24', '192.0.2.0/24'],
    ['ipkey=&key=192.0.2.1', '192.0.2.1'],
    ['ipkey=192.0.2.1&key=192.0.2.2', '192.0.2.1'],
    ['ipkey=192.0.2.0%20-%20192.0.2.9', '192.0.2.0 - 192.0.2.9'],
  ])('?%s requests %s (R12)', async (query, resource) => {
    locate = found;
    expect((await gateway.send(`/geolocation?${query}`)).status).toBe(200);
    expect(requested).toEqual([resource]);
  });

  it.each<[string, string, { method?: string; headers?: Record<string, string>; secure?: boolean }, number, string]>([
    ['no address', '', {}, 400, 'ipkey is required'],
    ['a blank address', '?ipkey=%20', {}, 400, 'ipkey is required'],
    ['a bad address', '?ipkey=X', {}, 400, 'Invalid argument: X'],
    ['a password', '?ipkey=X&password=y', {}, 400, "Parameter 'password' is not accepted"],
    ['a wrong credential', '?ipkey=X', { headers: { authorization: 'Basic wrong' } }, 401, 'The credential is wrong'],
    ['a method', '?ipkey=X', { method: 'DELETE' }, 405, 'Method DELETE is not allowed'],
    ['an unsupported Accept', '?ipkey=X', { headers: { accept: 'image/png' } }, 415, 'image/png'],
    [
      'a credential in the clear',
      '',
      { headers: { authorization: 'Basic good' }, secure: false },
      426,
      'HTTPS required',
    ],
  ])('%s is refused in plain text for any requested format (R12)', async (_what, query, options, status, said) => {
    locate = refused('invalid', 'Invalid argument: %s');
    for (const extension of options.headers?.accept ? [''] : ['', '.xml', '.json', '.txt']) {
      const received = await gateway.send(`/geolocation${extension}${query}`, options);
      expect([received.status, received.headers['content-type']]).toEqual([status, text]);
      expect(received.text).toContain(said);
      expect(received.text).not.toMatch(/[<{]/);
    }
  });

  it('nothing known is 404, and a service that is away 503', async () => {
    locate = refused('not-found', 'No geolocation data was found for the given ipkey: %s');
    const received = await gateway.send('/geolocation.json?ipkey=X');
    expect(received).toMatchObject({
      status: 404,
      text: 'No geolocation data was found for the given ipkey: X',
      headers: { 'content-type': text },
    });
    locate = refused('unavailable', 'The service is away');
    expect(await gateway.send('/geolocation?ipkey=X')).toMatchObject({
      status: 503,
      headers: { 'content-type': text },
    });
  });
});

describe('abuse contact', () => {
  const found = () => ({
    contact: { found: holder, role: 'AR1-TEST', email: 'abuse@example.net', suspect: false, orgId: '' },
  });

  it('answers in three formats, naming the object that was found', async () => {
    findContact = found;
    const base = `https://localhost:${gateway.gateway.ports().https}`;
    const json = await gateway.send('/abuse-contact/192.0.2.1.json');
    expect(json).toMatchObject({ status: 200, headers: { 'content-type': 'application/json' } });
    expect(JSON.parse(json.text)).toEqual({
      service: 'abuse-contact',
      link: { type: 'locator', href: `${base}/abuse-contact/192.0.2.1` },
      parameters: { 'primary-key': { value: holder.key } },
      'abuse-contacts': { key: 'AR1-TEST', email: 'abuse@example.net', suspect: false },
      'terms-and-conditions': { type: 'locator', href: expect.any(String) },
    });
    const xml = await gateway.send('/abuse-contact/192.0.2.1');
    expect(xml.headers['content-type']).toBe('application/xml');
    expect(xml.text).toContain('<abuse-contacts key="AR1-TEST" email="abuse@example.net" suspect="false"/>');
    const plain = await gateway.send('/abuse-contact/192.0.2.1.txt');
    expect([plain.headers['content-type'], plain.text]).toEqual([text, expect.stringContaining('abuse@example.net\n')]);
  });

  it.each([
    ['AS64500', 'AS64500'],
    ['192.0.2.0/24', '192.0.2.0/24'],
    ['192.0.2.0%2F24.json', '192.0.2.0/24'],
    ['192.0.2.0%20-%20192.0.2.9', '192.0.2.0 - 192.0.2.9'],
    ['2001:db8::/32', '2001:db8::/32'],
  ])('%s requests %s', async (path, resource) => {
    findContact = found;
    expect((await gateway.send(`/abuse-contact/${path}`)).status).toBe(200);
    expect(requested).toEqual([resource]);
  });

  it.each([
    ['no contact (R11)', 'not-found', 'No abuse contact found for %s', 404],
    ['no resource', 'invalid', 'Invalid argument: %s', 400],
    ['a service that is away', 'unavailable', 'Away from %s', 503],
  ] as const)('%s has the form of this document', async (_what, kind, template, status) => {
    findContact = refused(kind, template);
    const message = template.replace('%s', 'X');
    const json = await gateway.send('/abuse-contact/X.json');
    expect([json.status, JSON.parse(json.text)]).toEqual([status, { message }]);
    const xml = await gateway.send('/abuse-contact/X');
    expect([xml.status, xml.text]).toEqual([
      status,
      expect.stringContaining(`    <message>${message}</message>\n</abuse-`),
    ]);
    const plain = await gateway.send('/abuse-contact/X.txt');
    expect([plain.status, plain.headers['content-type'], plain.text]).toEqual([status, text, message]);
  });

  it('refusals of the gateway itself as well', async () => {
    const received = await gateway.send('/abuse-contact/X.json', { headers: { authorization: 'Basic wrong' } });
    expect(received).toMatchObject({ status: 401, headers: { 'www-authenticate': expect.stringMatching(/^Basic/) } });
    expect(Object.keys(JSON.parse(received.text))).toEqual(['message']);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH', 'TRACE'])(
    'a %s is refused in the shape of this document',
    async (method) => {
      const json = await gateway.send('/abuse-contact/X.json', { method });
      expect(json).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } });
      expect(JSON.parse(json.text)).toEqual({ message: `Method ${method} is not allowed here` });
      const xml = await gateway.send('/abuse-contact/X', { method });
      expect([xml.status, xml.text]).toEqual([405, expect.stringContaining('</message>\n</abuse-resources>')]);
    },
  );
});
