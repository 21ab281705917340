import { LookupStatus } from '@cadastre/proto/objects';
import {
  BelowLevel,
  type ListBelowRequest,
  type ListBelowResponse,
  type ListHoldingsResponse,
} from '@cadastre/proto/search';
import { ServiceError } from '@cadastre/service';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningGateway, startGateway } from './gateway.fixture.js';
import { rdapRegistry } from './rdap-registry.fixture.js';

const rest = 'mnt-by:         EXAMPLE-MNT\nsource:         TEST\n';
const network = (range: string, status: string, more = '') =>
  `${range.includes(':') ? 'inet6num' : 'inetnum'}:       ${range}\nnetname:        NET\n${more}status:         ${status}\n${rest}`;
const zone = (name: string) => `domain:         ${name}\nnserver:        ns1.example.net\n${rest}`;
const held = 'org:            ORG-EX1-TEST\n';

const registry = rdapRegistry(
  network('0.0.0.0 - 255.255.255.255', 'ALLOCATED UNSPECIFIED'),
  network('192.0.0.0 - 192.255.255.255', 'ALLOCATED UNSPECIFIED'),
  network('192.0.0.0 - 192.0.255.255', 'ALLOCATED PA', held),
  network('192.0.2.0 - 192.0.2.255', 'ASSIGNED PA', held),
  network('192.0.2.0 - 192.0.2.99', 'ASSIGNED PA'),
  network('10.0.0.0 - 10.255.255.255', 'ALLOCATED PA'),
  network('10.1.0.0 - 10.1.255.255', 'ASSIGNED PA'),
  network('::/0', 'ALLOCATED-BY-RIR'),
  network('2001:db8::/32', 'ALLOCATED-BY-RIR', held),
  network('2001:db8:1::/48', 'AGGREGATED-BY-LIR'),
  network('2001:db8:1:1::/64', 'ASSIGNED'),
  network('2001:db9::/32', 'ALLOCATED-BY-LIR'),
  zone('192.in-addr.arpa'),
  zone('0.192.in-addr.arpa'),
  zone('2.0.192.in-addr.arpa'),
  `aut-num:        AS64500\nas-name:        EXAMPLE-AS\n${held}${rest}`,
  `organisation:   ORG-EX1-TEST\norg-name:       Example Ltd\ne-mail:         info@example.net\nabuse-c:        AR1-TEST\n${rest}`,
  `role:           Example Abuse\nabuse-mailbox:  abuse@example.net\nnic-hdl:        AR1-TEST\n${rest}`,
);

let gateway: RunningGateway;
let below: ListBelowResponse;
let holdings: ListHoldingsResponse;
let failure: ServiceError | undefined;
const requested: ListBelowRequest[] = [];

beforeAll(async () => {
  const answer = <A>(value: A) => {
    if (failure) throw failure;
    return value;
  };
  const backends = {
    ...registry.backends,
    search: {
      async listBelow(request: ListBelowRequest) {
        requested.push(request);
        return answer(below);
      },
      listHoldings: async () => answer(holdings),
    },
  };
  gateway = await startGateway(backends);
});
beforeEach(() => {
  failure = undefined;
  requested.length = 0;
  registry.calls.length = 0;
  below = { keys: [], objects: 0, tooMany: false, serial: 1n };
  holdings = {
    inet6nums: ['2001:db8::/32'],
    inetnums: ['192.0.0.0 - 192.0.255.255'],
    autNums: ['as64500'],
    serial: 1n,
  };
});
afterAll(() => gateway.stop());

async function get(path: string) {
  const { status, headers, text } = await gateway.send(`/rdap/${path}`);
  return { status, type: headers['content-type'], document: JSON.parse(text) };
}

describe('upwards', () => {
  it.each([
    ['ips/rirSearch1/rdap-up/192.0.2.0/24', '192.0.0.0 - 192.0.255.255'],
    ['ips/rirSearch1/rdap-up/192.0.2.0%2F24', '192.0.0.0 - 192.0.255.255'],
    ['ips/rirSearch1/rdap-up/192.0.2.7', '192.0.2.0 - 192.0.2.99'],
    ['ips/rirSearch1/rdap-up/192.0.2.0%20-%20192.0.2.99', '192.0.2.0 - 192.0.2.255'],
    ['ips/rirSearch1/rdap-up/192.0.2.50-192.0.2.150', '192.0.2.0 - 192.0.2.255'],
    ['ips/rirSearch1/rdap-top/192.0.2.0-192.0.2.99', '192.0.0.0 - 192.0.255.255'],
    ['ips/rirSearch1/rdap-up/2001:db8:1:1::/64', '2001:db8:1::/48'],
    ['ips/rirSearch1/rdap-top/2001:db8:1:1::/64', '2001:db8::/32'],
    // The root has no child here with the same status.
    ['ips/rirSearch1/rdap-up/2001:db9::/32', '::/0'],
    ['ips/rirSearch1/rdap-up/10.1.0.0/16', '10.0.0.0 - 10.255.255.255'],
    ['ips/rirSearch1/rdap-up/192.0.2.0/24?status=active', '192.0.0.0 - 192.0.255.255'],
    ['domains/rirSearch1/rdap-up/2.0.192.in-addr.arpa', '0.192.in-addr.arpa'],
    ['domains/rirSearch1/rdap-top/2.0.192.in-addr.arpa.', '192.in-addr.arpa'],
    ['domains/rirSearch1/rdap-top/2.0.192.IN-ADDR.arpa?status=active', '192.in-addr.arpa'],
  ])('%s finds %s', async (path, handle) => {
    const { status, type, document } = await get(path);
    expect([status, type, document.handle]).toEqual([200, 'application/rdap+json', handle]);
  });

  it.each([
    ['only administrative blocks are above', 'ips/rirSearch1/rdap-up/192.0.0.0/16'],
    ['only administrative blocks are above, to the top', 'ips/rirSearch1/rdap-top/192.0.0.0/16'],
    ['a chain of blocks of one status is above', 'ips/rirSearch1/rdap-up/2001:db8::/32'],
    ['nothing is above the root', 'ips/rirSearch1/rdap-up/0.0.0.0/0'],
    ['nothing active is above', 'ips/rirSearch1/rdap-up/10.1.0.0/16?status=active'],
    ['the root is not active', 'ips/rirSearch1/rdap-top/2001:db9::/32?status=active'],
    ['no zone is above', 'domains/rirSearch1/rdap-up/192.in-addr.arpa'],
    ['the zone is none of addresses', 'domains/rirSearch1/rdap-up/example.net'],
  ])('nothing is found when %s', async (_what, path) => {
    expect(await get(path)).toMatchObject({ status: 404, document: { errorCode: 404 } });
  });
});

describe('downwards', () => {
  it('shows networks as a search does', async () => {
    below = { ...below, keys: ['192.0.2.0 - 192.0.2.255', 'gone'], objects: 2 };
    const { status, document } = await get('ips/rirSearch1/rdap-down/192.0.0.0/16');
    expect(status).toBe(200);
    expect(document).toMatchObject({
      rdapConformance: expect.arrayContaining(['rirSearch1', 'ipSearchResults']),
      ipSearchResults: [{ handle: '192.0.2.0 - 192.0.2.255', parentHandle: '192.0.0.0 - 192.0.255.255' }],
    });
    expect(requested).toMatchObject([
      { source: '', resource: '192.0.0.0/16', type: 'inetnum', level: BelowLevel.BELOW_LEVEL_FIRST, limit: 100 },
    ]);
    expect(JSON.stringify(document.notices ?? [])).not.toContain('truncated');
  });

  it.each([
    ['ips/rirSearch1/rdap-bottom/2001:db8::/32', 'inet6num', '2001:db8::/32', 'ipSearchResults', '2001:db8:1::/48'],
    [
      'domains/rirSearch1/rdap-bottom/192.in-addr.arpa',
      'domain',
      '192.0.0.0/8',
      'domainSearchResults',
      '2.0.192.in-addr.arpa',
    ],
  ])('%s requests the bottom', async (path, type, resource, member, key) => {
    below = { ...below, keys: [key], objects: 1 };
    const { document } = await get(path);
    expect(document[member]).toMatchObject([{ handle: key }]);
    expect(requested).toMatchObject([{ resource, type, level: BelowLevel.BELOW_LEVEL_BOTTOM }]);
  });

  it('shows no more large objects than a call returns, and says so', async () => {
    const remarks = `remarks:        ${'a'.repeat(80)}\n`.repeat(6_000);
    const ranges = Array.from({ length: 100 }, (_, at) => `192.0.${at}.0 - 192.0.${at}.255`);
    const large = rdapRegistry(
      ...ranges.map((range) => network(range, 'ASSIGNED PA', `${held}${remarks}`)),
      `organisation:   ORG-EX1-TEST\norg-name:       Example Ltd\n${rest}`,
    );
    const own = await startGateway({
      ...large.backends,
      reader: {
        ...large.backends.reader,
        // Like objects: about 2 MiB, then the caller must repeat the rest.
        async batchLookup(request, call) {
          const { answers } = await large.backends.reader!.batchLookup!(request, call);
          let bytes = 0;
          return {
            answers: answers.map((answer, at) => {
              bytes += answer.object?.text.length ?? 0;
              const isLate = at > 0 && bytes > 2 * 1024 * 1024;
              return isLate ? { status: LookupStatus.LOOKUP_STATUS_ASK_AGAIN } : answer;
            }),
          };
        },
      },
      search: {
        listBelow: async () => ({ keys: ranges, objects: 100, tooMany: false, serial: 1n }),
        listHoldings: async () => ({ inet6nums: [], inetnums: ranges, autNums: [], serial: 1n }),
      },
    });
    try {
      for (const [path, member, said] of [
        ['ips/rirSearch1/rdap-down/192.0.0.0/16', 'ipSearchResults', 'Only the first 3 results are shown.'],
        ['entity/ORG-EX1-TEST', 'networks', 'Only 3 networks and 0 AS numbers of the organisation are shown.'],
      ] as const) {
        const { status, text } = await own.send(`/rdap/${path}`);
        expect(status).toBe(200);
        const document = JSON.parse(text);
        expect(document[member]).toHaveLength(3);
        expect(JSON.stringify(document.notices)).toContain(said);
      }
    } finally {
      await own.stop();
    }
  });

  it('says that it shows only the first ones', async () => {
    below = { ...below, keys: ['192.0.2.0 - 192.0.2.255'], objects: 101 };
    const { document } = await get('ips/rirSearch1/rdap-down/192.0.0.0/16');
    expect(document.notices).toContainEqual({
      title: 'Search Policy',
      type: 'result set truncated due to unexplainable reasons',
      description: ['Only the first 100 results are shown.'],
    });
  });

  it('needs four round trips at most, for any number of objects', async () => {
    const exchanges = async (keys: string[]) => {
      registry.calls.length = 0;
      below = { ...below, keys, objects: keys.length };
      await get('ips/rirSearch1/rdap-down/0.0.0.0/0');
      return registry.calls.length;
    };
    const keys = ['192.0.2.0 - 192.0.2.255', '192.0.2.0 - 192.0.2.99', '10.0.0.0 - 10.255.255.255'];
    expect(await exchanges(keys)).toBeLessThanOrEqual(4);
  });

  it('refuses too many', async () => {
    below = { ...below, tooMany: true, objects: 10_000 };
    expect(await get('ips/rirSearch1/rdap-down/0.0.0.0/0')).toMatchObject({
      status: 400,
      document: { errorCode: 400, description: ['More than 10000 objects are found: ask for less'] },
    });
  });

  it('answers 404 for none, and 503 while the search service is away', async () => {
    const path = 'ips/rirSearch1/rdap-down/192.0.2.0/24';
    expect(await get(path)).toMatchObject({ status: 404, document: { errorCode: 404 } });
    failure = new ServiceError('unavailable', 'away');
    expect(await get(path)).toMatchObject({ status: 503, document: { errorCode: 503 } });
  });
});

it.each([
  [400, 'ips/rirSearch1/rdap-sideways/192.0.2.0/24'],
  [400, 'ips/rirSearch1/constructor/192.0.2.0/24'],
  [400, 'ips/rirSearch1/rdap-up/192.0.2'],
  [400, 'ips/rirSearch1/rdap-down/::ffff:192.0.2.1'],
  [400, 'domains/rirSearch1/rdap-up/a..b'],
  [400, 'autnums/rirSearch1/rdap-sideways/64500'],
  [501, 'autnums/rirSearch1/rdap-up/64500'],
  [501, 'autnums/rirSearch1/rdap-bottom/AS64500'],
  [501, 'domains/rirSearch1/rdap-up/4.3.2.1.e164.arpa'],
  [501, 'ips/rirSearch1/rdap-down/192.0.2.0/24?status=active'],
  [501, 'ips/rirSearch1/rdap-bottom/192.0.2.0/24?status=active'],
  [501, 'ips/rirSearch1/rdap-up/192.0.2.0/24?status=reserved'],
])('%i for %s', async (status, path) => {
  expect(await get(path)).toMatchObject({ status, type: 'application/rdap+json', document: { errorCode: status } });
});

describe('links of a document', () => {
  const all = ['rdap-up', 'rdap-up rdap-active', 'rdap-top', 'rdap-top rdap-active', 'rdap-down', 'rdap-bottom'];
  const up = all.slice(0, 4);
  const down = all.slice(4);
  it.each([
    ['ip/192.0.2.0/24', all],
    ['ip/192.0.2.7', up],
    // Only administrative blocks are above.
    ['ip/192.0.0.0/16', down],
    ['ip/2001:db8::/32', down],
    // A reserved network is above.
    ['ip/10.1.0.0/16', ['rdap-up', 'rdap-top']],
    ['ip/0.0.0.0/0', down],
    ['ips/rirSearch1/rdap-up/192.0.2.7', up],
    ['domain/0.192.in-addr.arpa', all],
    ['domain/2.0.192.in-addr.arpa', up],
    ['autnum/64500', []],
  ])('of %s lead to the relations that answer', async (path, rels) => {
    const { document } = await get(path);
    const links: { rel: string; href: string }[] = document.links;
    expect(links.map(({ rel }) => rel).filter((rel) => rel.startsWith('rdap-'))).toEqual(rels);
    for (const { rel, href } of links.filter(({ rel }) => /^rdap-(up|top)/.test(rel))) {
      const { status } = await get(href.slice(href.indexOf('/rdap/') + '/rdap/'.length));
      expect([rel, status]).toEqual([rel, 200]);
    }
  });
});

describe('an organisation', () => {
  it('shows its networks, IPv6 first, its AS numbers and its abuse contact', async () => {
    const { document } = await get('entity/ORG-EX1-TEST');
    const handles = (of: { handle: string }[]) => of.map(({ handle }) => handle);
    expect(handles(document.networks)).toEqual(['2001:db8::/32', '192.0.0.0 - 192.0.255.255']);
    expect(handles(document.autnums)).toEqual(['AS64500']);
    expect(document.entities).toContainEqual(expect.objectContaining({ handle: 'AR1-TEST', roles: ['abuse'] }));
    expect(JSON.stringify(document.notices)).not.toContain('truncated');
  });

  it('shows at most 100 networks and 100 AS numbers', async () => {
    const many = Array.from({ length: 101 }, () => '192.0.0.0 - 192.0.255.255');
    holdings = { ...holdings, inetnums: many };
    const { document } = await get('entity/ORG-EX1-TEST');
    expect(document.networks).toHaveLength(100);
    expect(document.networks[0].handle).toBe('2001:db8::/32');
    expect(document.notices).toContainEqual(
      expect.objectContaining({ type: 'object truncated due to unexplainable reasons' }),
    );
  });

  it('shows nothing that does not name it any more', async () => {
    holdings = { ...holdings, inet6nums: ['2001:db9::/32'], inetnums: ['gone'] };
    const { document } = await get('entity/ORG-EX1-TEST');
    expect(document).not.toHaveProperty('networks');
    expect(document.autnums).toHaveLength(1);
  });

  it.each(['unavailable', 'unimplemented'] as const)('is shown when the search service is %s', async (kind) => {
    failure = new ServiceError(kind, 'away');
    const { status, document } = await get('entity/ORG-EX1-TEST');
    expect(status).toBe(200);
    expect(document.notices).toContainEqual(
      expect.objectContaining({ description: ['Only 0 networks and 0 AS numbers of the organisation are shown.'] }),
    );
  });
});
