import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { cadastre } from '../harness/cadastre.js';
import { type Answer, type RequestOptions, type Rest, restClient } from '../harness/rest.js';
import { documentOf, messagesOf, objectOf, values, type WhoisClient, whoisClient } from '../harness/whois.js';

// The sample registry is only read here.
const system = inject('sharedSystem');
let rest: Rest & { close(): void };
let whois: WhoisClient;
let bob: string;

beforeAll(async () => {
  rest = restClient(system);
  whois = whoisClient(rest, system.credential);
  const made = await cadastre(system, ['api-key', 'create', '--user', 'bob@example.net', '--name', 'tests']);
  bob = made.stdout.trim();
});

afterAll(async () => {
  rest?.close();
});

const json: RequestOptions = { accept: 'application/json' };
const contentType = (answer: Answer) => answer.headers['content-type']?.replaceAll(' ', '').toLowerCase();
const person = '/TEST/person/AE1-TEST';

describe('formats', () => {
  test.each<[string, string | undefined, string]>([
    [person, undefined, 'application/xml'],
    [person, '*/*', 'application/xml'],
    [person, 'application/json', 'application/json'],
    [person, 'text/plain', 'text/plain;charset=utf-8'],
    [person, 'application/xml;q=0.1, application/json', 'application/json'],
    [`${person}.json`, undefined, 'application/json'],
    [`${person}.xml`, 'application/json', 'application/xml'],
    [`${person}.txt`, 'application/json', 'text/plain;charset=utf-8'],
  ])('%s with Accept %s is answered as %s', async (path, accept, type) => {
    const answer = await rest(path, accept === undefined ? {} : { accept });
    expect([answer.status, contentType(answer)]).toEqual([200, type]);
  });

  test('an Accept header that can not be served is 415, in XML', async () => {
    const answer = await rest(person, { accept: 'image/png' });
    expect([answer.status, contentType(answer)]).toEqual([415, 'application/xml']);
    expect(answer.text).toContain('<errormessage');
  });

  test('text is the object followed by an empty line', async () => {
    const { text } = await rest(`${person}.txt`);
    expect(text).toMatch(/^person: {9}Alice Example\n(.+\n)+source: {9}TEST # Filtered\n\n$/);
  });

  test('characters beyond ASCII are answered as UTF-8', async () => {
    expect((await rest('/TEST/person/BM1-TEST.txt')).text).toContain('person:         Bjørn Müller\n');
    expect(values(objectOf(await whois.lookup('person', 'BM1-TEST')), 'address')).toContain('Große Straße 7');
  });
});

describe('addresses of objects', () => {
  test.each([
    '/TEST/route/192.0.2.0/24AS64500',
    '/TEST/route/192.0.2.0%2F24AS64500',
    '/test/ROUTE/192.0.2.0/24as64500',
    '/whois/TEST/route/192.0.2.0/24AS64500',
    '//TEST//route/192.0.2.0/24AS64500',
    '/TEST/inetnum/192.0.2.0%20-%20192.0.2.255',
    '/TEST/inetnum/192.0.2.0/24',
    '/TEST/inet6num/2001:0DB8:0::/32',
    '/TEST/domain/2.0.192.in-addr.arpa.',
    '/TEST/as-set/AS64500:AS-CUSTOMERS',
  ])('%s is found', async (path) => {
    expect((await rest(path, json)).status).toBe(200);
  });

  test.each([
    ['/NOWHERE/person/AE1-TEST', 400, "Error: Invalid source 'NOWHERE'"],
    ['/TEST/nonsense/AE1-TEST', 400, 'Error: Invalid object type: nonsense'],
    ['/TEST/aut-num/64500X', 404, 'ERROR:101'],
    ['/TEST/person/ZZ999-TEST', 404, 'ERROR:101'],
    ['/TEST/role/AE1-TEST', 404, 'ERROR:101'],
    ['/TEST/inetnum/192.0.2.7', 404, 'ERROR:101'],
  ])('%s returns %i', async (path, status, message) => {
    const answer = await rest(path, json);
    expect([answer.status, messagesOf(answer).join()]).toEqual([status, expect.stringContaining(message)]);
  });

  test.each(['/nonsense', '/TEST'])('%s does not exist: 404 or 405 with a message', async (path) => {
    const answer = await rest(path, json);
    expect([404, 405]).toContain(answer.status);
    expect(messagesOf(answer)).toHaveLength(1);
  });

  test('an unsupported method is 405 with Allow', async () => {
    const answer = await rest(person, { ...json, method: 'PATCH', credential: system.credential });
    expect([answer.status, answer.headers.allow]).toEqual([405, expect.stringContaining('GET')]);
  });

  test.each(['application/xml', 'application/json', 'text/plain'])('an error is %s on request', async (accept) => {
    const answer = await rest('/NOWHERE/person/AE1-TEST', { accept });
    expect([answer.status, contentType(answer)]).toEqual([
      400,
      accept === 'text/plain' ? 'text/plain;charset=utf-8' : accept,
    ]);
    expect(answer.text).toContain('Invalid source');
  });
});

describe('what is filtered', () => {
  const maintainer = (options: RequestOptions, query = '?unfiltered') =>
    whois.lookup('mntner', 'EXAMPLE-MNT', query, options);
  const authOf = async (answer: Promise<Answer>) => values(objectOf(await answer), 'auth');

  test('e-mail and notification attributes, and source is marked (R1)', async () => {
    const object = objectOf(await whois.lookup('person', 'AE1-TEST'));
    expect([values(object, 'e-mail'), values(object, 'notify')]).toEqual([[], []]);
    expect(object.attributes.attribute.at(-1)).toEqual({ name: 'source', value: 'TEST', comment: 'Filtered' });
  });

  test('nothing of a person with unfiltered', async () => {
    const object = objectOf(await whois.lookup('person', 'AE1-TEST', '?unfiltered'));
    expect(values(object, 'e-mail')).toEqual(['alice@example.net']);
    expect(object.attributes.attribute.at(-1)).toEqual({ name: 'source', value: 'TEST' });
  });

  test('auth of a mntner, for everyone except its maintainer (R2, R3)', async () => {
    expect(await authOf(maintainer({}))).toEqual([]);
    expect(await authOf(maintainer({ credential: bob }))).toEqual([]);
    expect(await authOf(maintainer({ credential: system.credential }, ''))).toEqual([]);
  });

  test('but not for its maintainer with the unfiltered object (R3)', async () => {
    expect(await authOf(maintainer({ credential: system.credential }))).toEqual([
      'SSO alice@example.net',
      'PGPKEY-48C3FC51',
    ]);
    expect(await authOf(maintainer({}))).toEqual([]);
  });
});

describe('credentials on a read', () => {
  const wrong = Buffer.from('nobody:nothing').toString('base64');

  test.each([
    ['a wrong credential', { credential: wrong }],
    ['no Base64', { credential: '%%%' }],
    ['a bearer token', { headers: { authorization: 'Bearer abc' } }],
    ['an unknown scheme', { headers: { authorization: 'Digest abc' } }],
  ])('%s is 401 with a challenge (R4)', async (_, options) => {
    const answer = await rest(person, { ...json, ...options });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, expect.stringMatching(/^Basic realm=/)]);
    expect(messagesOf(answer)).toHaveLength(1);
  });

  test('any credential over plain HTTP is 426 with Upgrade (W6)', async () => {
    const answer = await rest(person, { ...json, plain: true, credential: system.credential });
    expect([answer.status, answer.headers.upgrade]).toEqual([426, expect.stringContaining('TLS')]);
  });

  test('no non-ASCII letter matches a letter of a source name', async () => {
    expect((await rest('/TE%C5%BFT/mntner/EXAMPLE-MNT')).status).toBe(400);
    expect((await rest('/search?query-string=EXAMPLE-MNT&source=TE%C5%BFT')).status).toBe(400);
  });

  test('a read without credentials works over plain HTTP', async () => {
    expect((await rest(person, { ...json, plain: true })).status).toBe(200);
  });
});

describe('versions', () => {
  test('are listed and fetched', async () => {
    const list = documentOf(await whois.versions('aut-num', 'AS64500'));
    expect(list.versions).toMatchObject({
      type: 'aut-num',
      key: 'AS64500',
      version: [{ revision: 1, operation: 'ADD/UPD' }],
    });
    expect(objectOf(await whois.version('aut-num', 'AS64500', 1)).version).toBe(1);
  });

  test('show no personal data', async () => {
    const object = objectOf(await whois.version('role', 'EN1-TEST', 1));
    expect(['address', 'e-mail', 'admin-c', 'tech-c', 'notify'].flatMap((name) => values(object, name))).toEqual([]);
  });

  test.each([
    ['/TEST/aut-num/AS64500/versions/2', 404],
    ['/TEST/aut-num/AS64500/versions/x', 400],
    ['/TEST/aut-num/AS64500/versions/-1', 400],
    ['/TEST/aut-num/AS64999/versions', 404],
    ['/NOWHERE/aut-num/AS64500/versions', 400],
    ['/TEST/aut-num/nonsense/versions', 404],
  ])('%s returns %i', async (path, status) => {
    const answer = await rest(path, json);
    expect(answer.status).toBe(status);
    expect(messagesOf(answer).length).toBeGreaterThan(0);
  });

  test('are a table in text', async () => {
    expect((await rest('/TEST/aut-num/AS64500/versions.txt')).text).toMatch(/^rev# {2}Date/m);
  });
});

describe('metadata', () => {
  test('names the source', async () => {
    expect(documentOf(await rest('/metadata/sources.json'))).toMatchObject({
      service: { name: 'getSupportedDataSources' },
      sources: { source: [{ name: 'TEST' }, { name: 'TEST-NONAUTH' }] },
      'grs-sources': { source: [{ name: 'TEST-GRS', id: 'test-grs', 'grs-id': 'test-grs' }] },
    });
  });

  test.each(['xml', 'json', 'txt'])('has the template of a type as %s', async (extension) => {
    const answer = await rest(`/metadata/templates/route.${extension}`);
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('origin')]);
  });

  test('knows no template of an unknown type (R13)', async () => {
    expect((await rest('/metadata/templates/nonsense', json)).status).toBe(400);
  });
});

describe('parameters', () => {
  test.each(['unfiltered', 'unfiltered=', 'unfiltered=true', 'unfiltered=yes', 'unfiltered=1&unfiltered=1'])(
    '?%s is on (W7)',
    async (query) => {
      expect(values(objectOf(await whois.lookup('person', 'AE1-TEST', `?${query}`)), 'e-mail')).toHaveLength(1);
    },
  );

  test.each(['unfiltered=false&x=y', 'unfiltered=0&resource-holder=0', 'unfiltered=no&unfiltered=no'])(
    '?%s is off, and an unknown parameter is ignored (W7)',
    async (query) => {
      expect(values(objectOf(await whois.lookup('person', 'AE1-TEST', `?${query}`)), 'e-mail')).toEqual([]);
    },
  );

  test('values that disagree are 400 (W7)', async () => {
    expect((await whois.lookup('person', 'AE1-TEST', '?unfiltered=1&unfiltered=0')).status).toBe(400);
  });

  test.each(['password=hush-7261', 'override=hush-7261'])('?%s is 400 and is not repeated (W8)', async (query) => {
    const answer = await whois.lookup('person', 'AE1-TEST', `?${query}`);
    expect(answer.status).toBe(400);
    expect(answer.text).not.toContain('hush-7261');
  });

  test('?unformatted keeps spaces and comments', async () => {
    const object = objectOf(await whois.lookup('inetnum', '192.0.2.0 - 192.0.2.255', '?unformatted'));
    expect(values(object, 'remarks')).toEqual(['        Office and data centre  # two buildings']);
  });
});

test('objects link to each other by their URLs', async () => {
  const object = objectOf(await whois.lookup('inetnum', '192.0.2.0 - 192.0.2.255'));
  expect(object.link.href).toMatch(/^https:\/\/localhost:\d+\/test\/inetnum\/192\.0\.2\.0 - 192\.0\.2\.255$/);
  const referenced = object.attributes.attribute.map((one) => [one.name, one['referenced-type']]);
  expect(referenced).toContainEqual(['admin-c', 'person']);
  expect(referenced).toContainEqual(['tech-c', 'role']);
  expect(referenced).toContainEqual(['org', 'organisation']);
});
