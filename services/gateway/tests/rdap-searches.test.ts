import type { CountObjectsRequest, SearchNamesRequest, SearchRequest } from '@cadastre/proto/search';
import { ServiceError } from '@cadastre/service';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningGateway, type SendOptions, startGateway } from './gateway.fixture.js';
import { rdapRegistry } from './rdap-registry.fixture.js';

const rest = 'mnt-by:         EXAMPLE-MNT\nsource:         TEST\n';
const number = (at: number) => String(at).padStart(3, '0');
const personOf = (at: number) =>
  `person:         Crowd ${number(at)}\naddress:        Street\ne-mail:         crowd@example.net\nnic-hdl:        CR${at}-TEST\n${rest}`;
const networkOf = (at: number) =>
  `inetnum:        192.0.2.${at} - 192.0.2.${at}\nnetname:        NET-${number(at)}\norg:            ORG-EX1-TEST\nadmin-c:        AE1-TEST\ntech-c:         AE1-TEST\nstatus:         ASSIGNED PA\n${rest}`;

const registry = rdapRegistry();
const stored = registry.store(
  `person:         Alice Example\naddress:        1 Example Street\ne-mail:         alice@example.net\nnic-hdl:        AE1-TEST\n${rest}`,
  `organisation:   ORG-EX1-TEST\norg-name:       Example Ltd\naddress:        1 Example Street\ne-mail:         info@example.net\n${rest}`,
  `mntner:         EXAMPLE-MNT\nadmin-c:        AE1-TEST\nauth:           SSO alice@example.net\n${rest}`,
  `aut-num:        AS64500\nas-name:        EXAMPLE-AS\nadmin-c:        AE1-TEST\n${rest}`,
  `domain:         2.0.192.in-addr.arpa\nzone-c:         AE1-TEST\n${rest}`,
  ...Array.from({ length: 250 }, (_, at) => personOf(at)),
  ...Array.from({ length: 250 }, (_, at) => networkOf(at)),
);

/** Objects by the patterns that find them, in the order of their names, and the requests. */
const results = new Map<string, string[]>([
  ['alice example*', ['person AE1-TEST']],
  ['example l*', ['organisation ORG-EX1-TEST']],
  ['crowd*', Array.from({ length: 250 }, (_, at) => `person CR${at}-TEST`)],
  ['crowd 00*', Array.from({ length: 10 }, (_, at) => `person CR${at}-TEST`)],
  ['net-*', Array.from({ length: 250 }, (_, at) => `inetnum 192.0.2.${at} - 192.0.2.${at}`)],
  ['net-007', ['inetnum 192.0.2.7 - 192.0.2.7']],
  ['as64500', ['aut-num AS64500']],
  ['2.0.192.in-addr.arpa*', ['domain 2.0.192.in-addr.arpa']],
]);
const requested: (SearchNamesRequest | SearchRequest | CountObjectsRequest)[] = [];

/** Each page compares no more than 60 names. */
const search = {
  async searchNames(request: SearchNamesRequest) {
    requested.push(request);
    const { pattern, cursor, limit, withTotal } = request;
    if (pattern === '*x')
      throw new ServiceError('invalid', 'At least 2 characters must come before the first wildcard');
    const all = results.get(pattern.toLowerCase()) ?? [];
    const wide = pattern === 'wide*z' ? Buffer.from('0') : Buffer.alloc(0);
    const from = Number(cursor.toString() || '0');
    const end = from + Math.min(limit, 60);
    return {
      objects: all.slice(from, end).map((name) => find(name)),
      cursor: end < all.length ? Buffer.from(String(end)) : wide,
      serial: 7n,
      ...(withTotal && { total: BigInt(all.length) }),
    };
  },
  async *search(request: SearchRequest) {
    requested.push(request);
    if (request.query !== 'ORG-EX1-TEST') throw new ServiceError('not-found', 'nothing');
    const objects = results.get('net-*')!.slice(0, 100);
    yield {
      objects: objects.map((name) => ({
        object: find(name),
        related: false,
        managedAttributes: [],
        messages: [],
        managedMaintainers: [],
      })),
      flags: [],
      messages: [],
      serial: 7n,
      contacts: undefined,
    };
  },
  async countObjects(request: CountObjectsRequest) {
    requested.push(request);
    return {
      counts: [
        { type: 'inetnum', objects: 250n },
        { type: 'inet6num', objects: 1n },
      ],
      isPartial: false,
      serial: 7n,
    };
  },
};

const byName = new Map(stored.map((object) => [`${object.type} ${object.key}`, object]));
const find = (name: string) => byName.get(name)!;

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({ ...registry.backends, search });
});
beforeEach(() => {
  requested.splice(0);
  registry.calls.splice(0);
});
afterAll(() => gateway.stop());

async function get(path: string, options?: SendOptions) {
  const response = await gateway.send(path, options);
  return { ...response, document: response.text === '' ? undefined : JSON.parse(response.text) };
}

const handlesOf = (results: { handle: string }[]) => results.map(({ handle }) => handle);

describe('a search', () => {
  it.each([
    ['/rdap/entities?fn=Alice%20Example', 'entitySearchResults', ['AE1-TEST']],
    ['/rdap/entities?fn=alice+example*', 'entitySearchResults', ['AE1-TEST']],
    ['/rdap/entities?fn=Example%20L%2A', 'entitySearchResults', ['ORG-EX1-TEST']],
    ['/rdap/ips?name=NET-007', 'ipSearchResults', ['192.0.2.7 - 192.0.2.7']],
    ['/rdap/autnums?handle=AS64500', 'autnumSearchResults', ['AS64500']],
    ['/rdap/domains?name=2.0.192.in-addr.arpa', 'domainSearchResults', ['2.0.192.in-addr.arpa']],
    ['/rdap/domains?name=2.0.192.in-addr.arpa.', 'domainSearchResults', ['2.0.192.in-addr.arpa']],
  ])('%s finds in %s: %j', async (path, member, handles) => {
    const { status, headers, document } = await get(path);
    expect([status, headers['content-type']]).toEqual([200, 'application/rdap+json']);
    expect(handlesOf(document[member])).toEqual(handles);
    expect(document).not.toHaveProperty('paging_metadata');
    expect(document.rdapConformance).not.toContain('paging');
  });

  it.each([
    ['entities?fn=ex*', { types: ['person', 'role', 'organisation'], ofKeys: false, pattern: 'ex*' }],
    ['entities?handle=ex', { types: ['person', 'role', 'organisation', 'mntner'], ofKeys: true, pattern: 'ex*' }],
    ['ips?name=ex', { types: ['inetnum', 'inet6num'], ofKeys: false, pattern: 'ex' }],
    ['ips?handle=192.0.2.0%20-*', { types: ['inetnum', 'inet6num'], ofKeys: true, pattern: '192.0.2.0 -*' }],
    ['ips?handle=198.18.0.0/15', { ofKeys: true, pattern: '198.18.0.0 - 198.19.255.255' }],
    ['ips?handle=192.0.2.7', { ofKeys: true, pattern: '192.0.2.7 - 192.0.2.7' }],
    ['ips?handle=2001:DB8::7', { ofKeys: true, pattern: '2001:db8::7/128' }],
    ['ips?handle=2001:DB8::/32', { ofKeys: true, pattern: '2001:db8::/32' }],
    ['autnums?name=ex?m', { types: ['aut-num'], ofKeys: false, pattern: 'ex?m' }],
    ['autnums?handle=64501', { types: ['aut-num'], ofKeys: true, pattern: 'AS64501' }],
  ])('%s requests %j', async (path, expected) => {
    expect((await get(`/rdap/${path}`)).status).toBe(404);
    expect(requested).toEqual([expect.objectContaining({ ...expected, source: '', unfiltered: true, limit: 100 })]);
  });

  it.each([
    [400, 'entities', 'Exactly one'],
    [400, 'entities?fn=', 'Exactly one'],
    [400, 'entities?fn=alice*&handle=ae*', 'Exactly one'],
    [400, 'entities?fn=alice*&cursor=x', 'cursor'],
    [400, 'entities?fn=alice*&cursor=0.eA', 'cursor'],
    [400, 'ips?name=%2Ax', 'At least 2 characters'],
    [400, 'ips?name=wide*z', 'Too many names'],
    [404, 'entities?fn=Nobody', 'Nothing'],
    [404, 'entities?fn=Nobody[{|}]^`', 'Nothing'],
    [400, 'entities?fn=Nobody%2', 'percent-encoded'],
    [501, 'domains?nsLdhName=ns1.example.net', 'nsLdhName'],
    [501, 'domains?nsIp=192.0.2.1', 'nsIp'],
  ])('is refused with %i: %s', async (status, path, text) => {
    const response = await get(`/rdap/${path}`);
    expect([response.status, response.document.errorCode]).toEqual([status, status]);
    expect(response.document.description.join()).toContain(text);
  });

  it('shows 100 results, says so, and continues on the next pages', async () => {
    const handles: string[] = [];
    const pages: number[] = [];
    let path: string | undefined = '/rdap/ips?name=net-*&count=true';
    while (path !== undefined) {
      const { status, document } = await get(path);
      expect(status).toBe(200);
      expect(document.rdapConformance).toContain('paging');
      const { paging_metadata: paging, ipSearchResults: found, notices } = document;
      expect(paging).toMatchObject({ totalCount: 250, pageSize: 100 });
      expect(notices.some(({ title }: { title: string }) => title === 'Search Policy')).toBe(paging.pageNumber === 1);
      pages.push(paging.pageNumber, found.length);
      handles.push(...handlesOf(found));
      const next: URL | undefined = paging.links && new URL(paging.links[0].href);
      path = next && `${next.pathname}${next.search}`;
    }
    expect(pages).toEqual([1, 100, 2, 100, 3, 50]);
    expect(handles).toEqual(results.get('net-*')!.map((name) => name.replace('inetnum ', '')));
  });

  it('counts a result of one page on request', async () => {
    const { document } = await get('/rdap/ips?name=net-007&count=true');
    expect(document.paging_metadata).toEqual({ totalCount: 1 });
  });

  it('needs as many calls of other services for a page as for one object', async () => {
    const own = await startGateway({ ...registry.backends, search });
    try {
      expect((await own.send('/rdap/ips?name=net-*')).status).toBe(200);
    } finally {
      await own.stop();
    }
    const kinds = registry.calls.map((call) => call.split(' ')[0]);
    expect(kinds.sort()).toEqual(['abuse', 'find', 'look']);
  });

  it('hides e-mail addresses, and says so', async () => {
    const { text, document } = await get('/rdap/entities?fn=crowd%2000*');
    expect(text).not.toContain('crowd@example.net');
    expect(document.redacted).toHaveLength(10);
  });

  it('has no body for HEAD', async () => {
    const { status, text } = await gateway.send('/rdap/ips?name=NET-007', { method: 'HEAD' });
    expect([status, text]).toEqual([200, '']);
  });
});

describe('persons of a search', () => {
  it('count, and are refused before any is shown', async () => {
    const own = await startGateway({ ...registry.backends, search }, { CADASTRE_LIMITS: 'personal-objects=15' });
    try {
      expect((await own.send('/rdap/entities?fn=crowd%2000*')).status).toBe(200);
      expect((await own.send('/rdap/ips?name=net-*')).status).toBe(200);
      const refused = await own.send('/rdap/entities?fn=crowd%2000*');
      expect([refused.status, refused.headers['content-type']]).toEqual([429, 'application/rdap+json']);
      expect(refused.headers['retry-after']).toBeDefined();
      expect(refused.text).not.toContain('Crowd');
    } finally {
      await own.stop();
    }
  });
});

describe('a reverse search', () => {
  it.each([
    ['', ['org', 'mnt-by', 'admin-c', 'tech-c', 'zone-c', 'abuse-c', 'mnt-irt'], ['handle']],
    ['&role=registrant', ['org', 'mnt-by'], ['handle', 'role']],
    ['&role=technical', ['tech-c', 'zone-c'], ['handle', 'role']],
  ])('with %j looks at %j', async (role, attributes, properties) => {
    const { status, document } = await get(`/rdap/ips/reverse_search/entity?handle=ORG-EX1-TEST${role}`);
    expect(status).toBe(200);
    expect(requested).toMatchObject([
      { query: 'ORG-EX1-TEST', types: ['inetnum', 'inet6num'], inverseAttributes: attributes, limit: 100 },
    ]);
    expect(document.ipSearchResults).toHaveLength(100);
    expect(document.rdapConformance).toContain('reverse_search');
    expect(document.reverse_search_properties_mapping.map(({ property }: { property: string }) => property)).toEqual(
      properties,
    );
  });

  it('counts on request', async () => {
    const { document } = await get('/rdap/ips/reverse_search/entity?handle=ORG-EX1-TEST&count=true');
    expect(document.paging_metadata).toMatchObject({ totalCount: 251 });
  });

  it.each([
    [400, 'ips', ''],
    [404, 'autnums', '?handle=AE9-TEST'],
    [404, 'domains', '?handle=AE1-TEST&role=reseller'],
    [501, 'domains', '?email=alice@example.net'],
    [501, 'domains', '?handle=AE1-TEST&fn=Alice'],
    [404, 'entities', '?handle=AE1-TEST'],
  ])('is refused with %i: of %s with %s', async (status, kind, query) => {
    const response = await get(`/rdap/${kind}/reverse_search/entity${query}`);
    expect([response.status, response.document.errorCode]).toEqual([status, status]);
  });

  it('is announced by help', async () => {
    const { document } = await get('/rdap/help');
    expect(document.rdapConformance).toEqual(expect.arrayContaining(['paging', 'reverse_search']));
    expect(document.reverse_search_properties).toContainEqual({
      searchableResourceType: 'ips',
      relatedResourceType: 'entity',
      property: 'handle',
    });
  });
});

it('is unavailable while the search service is of the release before', async () => {
  const older = await startGateway({ ...registry.backends, search: {} });
  try {
    expect((await older.send('/rdap/entities?fn=alice*')).status).toBe(503);
  } finally {
    await older.stop();
  }
});
