import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningGateway, type SendOptions, startGateway } from './gateway.fixture.js';
import { rawRequest } from './raw-request.fixture.js';
import { rdapRegistry } from './rdap-registry.fixture.js';

const rest =
  'mnt-by:         EXAMPLE-MNT\ncreated:        2020-01-02T03:04:05Z\nlast-modified:  2024-05-06T07:08:09Z\nsource:         TEST\n';
const inetnum = (range: string, name: string, more = '') =>
  `inetnum:        ${range}\nnetname:        ${name}\ncountry:        NL\norg:            ORG-EX1-TEST\nadmin-c:        AE1-TEST\ntech-c:         AE1-TEST\n${more}status:         ASSIGNED PA\n${rest}`;

const registry = rdapRegistry(
  inetnum('0.0.0.0 - 255.255.255.255', 'ROOT'),
  inetnum('192.0.0.0 - 192.0.255.255', 'OUTER', 'abuse-c:        AR1-TEST\n'),
  inetnum('192.0.2.0 - 192.0.2.255', 'INNER'),
  inetnum('192.0.3.0 - 192.0.3.99', 'ODD'),
  `inet6num:       2001:db8::/32\nnetname:        SIX\ncountry:        NL\nadmin-c:        AE1-TEST\nstatus:         ASSIGNED\n${rest}`,
  `aut-num:        AS64500\nas-name:        EXAMPLE-AS\nadmin-c:        AE1-TEST\n${rest}`,
  `aut-num:        AS64501\nas-name:        FOREIGN-AS\nadmin-c:        AE1-TEST\n${rest.replace('TEST\n', 'TEST-NONAUTH\n')}`,
  `domain:         2.0.192.in-addr.arpa\nnserver:        ns1.example.net\nzone-c:         AE1-TEST\n${rest}`,
  `person:         Alice Example\naddress:        1 Example Street\nphone:          +31 20 555 0100\ne-mail:         alice@example.net\nnic-hdl:        AE1-TEST\n${rest}`,
  `role:           Example Abuse\naddress:        1 Example Street\ne-mail:         desk@example.net\nabuse-mailbox:  abuse@example.net\nnic-hdl:        AR1-TEST\n${rest}`,
  `organisation:   ORG-EX1-TEST\norg-name:       Example Ltd\norg-type:       LIR\naddress:        1 Example Street\ne-mail:         info@example.net\n${rest}`,
  `mntner:         EXAMPLE-MNT\nadmin-c:        AE1-TEST\nupd-to:         alice@example.net\nauth:           SSO alice@example.net\n${rest}`,
  `mntner:         AE1-TEST\nadmin-c:        AE1-TEST\nupd-to:         alice@example.net\nauth:           SSO alice@example.net\n${rest}`,
);

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway(registry.backends);
});
beforeEach(() => void registry.calls.splice(0));
afterAll(() => gateway.stop());

async function get(path: string, options?: SendOptions) {
  const response = await gateway.send(path, options);
  return { ...response, document: response.text === '' ? undefined : JSON.parse(response.text) };
}

describe('a lookup', () => {
  const inner = '192.0.2.0 - 192.0.2.255';
  it.each([
    ['/rdap/ip/192.0.2.7', inner],
    ['/rdap/ip/192.0.2.0/24', inner],
    ['/rdap/ip/192.0.2.0%2F24', inner],
    ['/rdap//ip///192.0.2.0//24', inner],
    ['/whois/rdap/ip/192.0.2.0/24', inner],
    ['/rdap/ip/192.0.2.7/24', inner],
    ['/rdap/ip/192.0.2.0-192.0.2.255', inner],
    ['/rdap/ip/192.0.2.0%20-%20192.0.2.255', inner],
    ['/rdap/ip/192.0.3.0%20-%20192.0.3.99', '192.0.3.0 - 192.0.3.99'],
    ['/rdap/ip/192.0.2.0/23', '192.0.0.0 - 192.0.255.255'],
    ['/rdap/ip/0.0.0.0/0', '0.0.0.0 - 255.255.255.255'],
    ['/rdap/ip/2001:db8::1', '2001:db8::/32'],
    ['/rdap/ip/2001:DB8:0::1/64', '2001:db8::/32'],
    ['/rdap/ip/2001%3Adb8%3A%3A1', '2001:db8::/32'],
    ['/rdap/autnum/64500', 'AS64500'],
    ['/rdap/autnum/as64500', 'AS64500'],
    ['/rdap/autnum/64501', 'AS64501'],
    ['/rdap/domain/2.0.192.in-addr.arpa', '2.0.192.in-addr.arpa'],
    ['/rdap/domain/2.0.192.IN-ADDR.arpa.', '2.0.192.in-addr.arpa'],
    ['/rdap/domain/7.2.0.192.in-addr.arpa', '2.0.192.in-addr.arpa'],
    ['/rdap/entity/AE1-TEST', 'AE1-TEST'],
    ['/rdap/entity/ae1-test', 'AE1-TEST'],
    ['/rdap/entity/ORG-EX1-TEST', 'ORG-EX1-TEST'],
    ['/rdap/entity/example-mnt', 'EXAMPLE-MNT'],
    ['/rdap/ip/192.0.2.7?unknown=1&unknown=2', inner],
  ])('of %s finds %s', async (path, handle) => {
    const { status, headers, document } = await get(path);
    expect([status, headers['content-type'], document.handle]).toEqual([200, 'application/rdap+json', handle]);
  });

  it.each([
    [400, '/rdap/ip/192.0.2'],
    [400, '/rdap/ip/192.0.2.256'],
    [400, '/rdap/ip/192.0.2.0/33'],
    [400, '/rdap/ip/192.0.2.9-192.0.2.0'],
    [400, '/rdap/ip/::ffff:192.0.2.1'],
    [400, '/rdap/ip/fe80::1%25eth0'],
    [400, '/rdap/ip/2001:db8::/129'],
    [400, '/rdap/ip/%FF'],
    [400, '/rdap/autnum/x'],
    [400, '/rdap/autnum/4294967296'],
    [400, '/rdap/autnum/AS64500-AS64510'],
    [400, '/rdap/domain/a..b'],
    [400, '/rdap/domain/m%C3%BCnchen.example'],
    [400, '/rdap/entity/a%20b'],
    [404, '/rdap/autnum/64502'],
    [404, '/rdap/ip/2001:db9::'],
    [404, '/rdap/domain/example.net'],
    [404, '/rdap/domain/example.json'],
    [404, '/rdap/domain/2.0.193.in-addr.arpa'],
    [404, '/rdap/entity/ZZ1-TEST'],
    [404, '/rdap'],
    [404, '/rdap/'],
    [404, '/rdap/ip'],
    [404, '/rdap/nothing/here'],
    [501, '/rdap/domain/4.3.2.1.e164.arpa'],
    [501, '/rdap/nameserver/ns1.example.net'],
    [501, '/rdap/nameservers?name=ns1*'],
    [414, `/rdap/ip/${'1'.repeat(9000)}`],
    [400, '/rdap/ip/192.0.2.7?password=x'],
  ])('is refused with %i: %s', async (status, path) => {
    const response = await get(path);
    expect([response.status, response.headers['content-type']]).toEqual([status, 'application/rdap+json']);
    expect(response.document).toMatchObject({ errorCode: status, description: expect.any(Array) });
  });

  it.each([
    ['/rdap/autnum/64502', true],
    ['/rdap/ip/2001:db9::', false],
  ])('that finds no %s names the flat model of AS numbers: %s', async (path, isNamed) => {
    const { document } = await get(path);
    expect(document.rdapConformance.includes('nro_rdap_profile_asn_flat_0')).toBe(isNamed);
  });

  it('shows contacts, abuse contact, parent and dates of a network', async () => {
    const { document } = await get('/rdap/ip/192.0.2.7');
    expect(document).toMatchObject({
      name: 'INNER',
      parentHandle: '192.0.0.0 - 192.0.255.255',
      events: [{ eventDate: '2020-01-02T03:04:05Z' }, { eventDate: '2024-05-06T07:08:09Z' }],
    });
    expect(
      document.entities.map(({ handle, roles }: { handle: string; roles: string[] }) => [handle, ...roles]),
    ).toEqual([
      ['AE1-TEST', 'administrative', 'technical'],
      ['AR1-TEST', 'abuse'],
      ['ORG-EX1-TEST', 'registrant'],
    ]);
    expect(JSON.stringify(document)).toContain('abuse@example.net');
    expect(JSON.stringify(document)).not.toMatch(/(alice|desk|info)@example.net/);
  });

  it('needs two round trips, for any number of contacts and of requests', async () => {
    const forgetful = await startGateway(registry.backends, { CADASTRE_GATEWAY_CACHE_BYTES: '0' });
    await Promise.all(['/rdap/ip/192.0.2.7', '/rdap/ip/192.0.3.7'].map((path) => forgetful.send(path)));
    await forgetful.stop();
    const [first, ...others] = registry.calls.map((call) => call.split(' ')[0]);
    expect(first).toBe('find');
    // Contacts, then the role, which may come in one call if the abuse contact is found soon.
    expect(others.filter((call) => call !== 'look')).toEqual(['abuse']);
    expect(others.length).toBeLessThanOrEqual(3);
  });

  it('shows the network of a zone', async () => {
    const { document } = await get('/rdap/domain/2.0.192.in-addr.arpa');
    expect(document).toMatchObject({ ldhName: '2.0.192.in-addr.arpa', network: { name: 'INNER' } });
  });

  it('shows the e-mail address of the requested entity, and lists others with its handle', async () => {
    const { document } = await get('/rdap/entity/AE1-TEST');
    expect(JSON.stringify(document.vcardArray)).toContain('alice@example.net');
    expect(JSON.stringify(document.notices)).toContain('mntner');
  });

  it('shows resources of other regions with their source', async () => {
    expect(JSON.stringify((await get('/rdap/autnum/64501')).document.notices)).toContain('TEST-NONAUTH');
  });

  it('lacks the abuse contact while search cannot find it', async () => {
    const forgetful = await startGateway(registry.backends, { CADASTRE_GATEWAY_CACHE_BYTES: '0' });
    registry.setGeoAvailable(false);
    const { status, text } = await forgetful.send('/rdap/ip/192.0.3.7');
    registry.setGeoAvailable(true);
    await forgetful.stop();
    expect([status, text.includes('AR1-TEST')]).toEqual([200, false]);
  });
});

describe('links', () => {
  const linksOf = (document: { links: { rel: string; href: string; value: string }[] }) =>
    Object.fromEntries(document.links.map(({ rel, href }) => [rel, href]));

  it('are absolute and canonical below the public URL, with any path', async () => {
    const behind = await startGateway(registry.backends, { CADASTRE_BASE_URL: 'https://r.example:8443/db/' });
    const { text } = await behind.send('/rdap/ip/192.0.2.7?x=1');
    await behind.stop();
    const document = JSON.parse(text);
    expect(linksOf(document)).toMatchObject({ self: 'https://r.example:8443/db/rdap/ip/192.0.2.0/24' });
    expect(document.links[0].value).toBe('https://r.example:8443/db/rdap/ip/192.0.2.7?x=1');
    expect(document.entities[0].links[0].href).toBe('https://r.example:8443/db/rdap/entity/AE1-TEST');
  });

  it('have no /rdap on a host of RDAP alone', async () => {
    const own = await startGateway(registry.backends, {
      CADASTRE_BASE_URL: 'https://r.example',
      CADASTRE_RDAP_HOSTS: 'rdap.example',
    });
    const ask = async (path: string, host: string) => {
      const { status, headers, text } = await own.send(path, { headers: { host }, isRdapHost: true });
      return { status, type: headers['content-type'], document: JSON.parse(text) };
    };
    for (const path of ['/ip/192.0.2.0/24', '/rdap/ip/192.0.2.0/24']) {
      const { status, document } = await ask(path, 'RDAP.example:8443');
      expect([status, linksOf(document)]).toMatchObject([200, { self: 'https://rdap.example:8443/ip/192.0.2.0/24' }]);
      expect(document.links[0].value).toBe(`https://rdap.example:8443${path}`);
    }
    expect(await ask('/', 'rdap.example')).toMatchObject({ status: 404, type: 'application/rdap+json' });
    expect(await ask('/TEST/mntner/EXAMPLE-MNT', 'rdap.example')).toMatchObject({ status: 404 });
    expect((await own.send('/TEST/mntner/EXAMPLE-MNT', { headers: { host: 'r.example' } })).status).toBe(200);
    await own.stop();
  });
});

describe('the dialect', () => {
  it.each([
    [200, undefined],
    [200, '*/*'],
    [200, 'application/*'],
    [200, 'application/json'],
    [200, 'application/rdap+json, application/json'],
    [200, 'application/rdap+json;exts_list="cidr0 geofeed1 rirSearch1"'],
    [200, 'text/html, */*;q=0.1'],
    [406, 'text/html'],
    [406, 'application/xml'],
    [406, 'application/rdap+json;q=0'],
  ])('answers %i to Accept: %s', async (status, accept) => {
    const response = await get('/rdap/ip/192.0.2.7', { headers: accept === undefined ? {} : { accept } });
    expect([response.status, response.headers['content-type']]).toEqual([status, 'application/rdap+json']);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('refuses %s with 405 and the methods that there are', async (method) => {
    for (const secure of [true, false]) {
      const { status, headers, document } = await get('/rdap/ip/192.0.2.7', { method, secure });
      expect([status, headers.allow, document.errorCode]).toEqual([405, 'GET, HEAD, OPTIONS', 405]);
    }
  });

  it('has the headers of a GET in the response to HEAD, without a body', async () => {
    for (const path of ['/rdap/ip/192.0.2.7', '/rdap/entity/ZZ1-TEST']) {
      const [whole, head] = [await get(path), await get(path, { method: 'HEAD' })];
      expect([head.status, head.text]).toEqual([whole.status, '']);
      expect([head.headers.etag, head.headers['content-length']]).toEqual([
        whole.headers.etag,
        whole.headers['content-length'],
      ]);
    }
  });

  it('is open to pages of all sites, with credentials too, but not for them', async () => {
    const sent: Record<string, string>[] = [{ origin: 'https://x.example' }, { authorization: 'Basic wrong' }];
    for (const headers of sent) {
      const response = await get('/rdap/ip/192.0.2.7', { headers });
      expect(response.headers['access-control-allow-origin']).toBe('*');
      expect(response.headers['access-control-allow-credentials']).toBeUndefined();
    }
    const preflight = await get('/rdap/ip/192.0.2.7', {
      method: 'OPTIONS',
      headers: { origin: 'https://x.example', 'access-control-request-method': 'GET' },
    });
    expect([preflight.status, preflight.headers['access-control-allow-methods']]).toEqual([200, 'GET, HEAD']);
  });

  it('lists its capabilities', async () => {
    const { status, document } = await get('/rdap/help');
    expect([status, document.rdapConformance]).toEqual([200, expect.arrayContaining(['rdap_level_0', 'cidr0'])]);
  });
});

it('answers a request with too large a header as RDAP does', async () => {
  const request = `GET /rdap/ip/192.0.2.7 HTTP/1.1\r\nHost: x\r\nX-Large: ${'a'.repeat(20_000)}\r\n\r\n`;
  const response = await rawRequest(gateway.gateway.ports().http, request);
  expect(response).toMatch(/^HTTP\/1\.1 431 [\s\S]*Content-Type: application\/rdap\+json/);
  expect(JSON.parse(response.slice(response.indexOf('{')))).toMatchObject({ errorCode: 431 });
});

describe('the personal budget', () => {
  it('is used up by repeated lookups of entities, by contacts once, and refuses only entities', async () => {
    const strict = await startGateway(registry.backends, { CADASTRE_LIMITS: 'personal-objects=3' });
    const statusOf = async (path: string, method = 'GET') => (await strict.send(path, { method })).status;
    for (let turn = 0; turn < 5; turn++) expect(await statusOf('/rdap/ip/192.0.2.7')).toBe(200);
    expect(await statusOf('/rdap/entity/AR1-TEST')).toBe(200);
    expect(await statusOf('/rdap/entity/AE1-TEST')).toBe(200);
    expect(await statusOf('/TEST/person/AE1-TEST')).toBe(200);
    const refused = await strict.send('/rdap/entity/AE1-TEST');
    expect([refused.status, refused.headers['content-type']]).toEqual([429, 'application/rdap+json']);
    expect(refused.headers['retry-after']).toMatch(/^\d+$/);
    expect(JSON.parse(refused.text)).toMatchObject({ errorCode: 429, title: 'Too Many Requests' });
    expect(await statusOf('/rdap/ip/192.0.2.7')).toBe(200);
    await strict.stop();
  });
});
