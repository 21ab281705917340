import { expect, test } from 'vitest';
import { objectsOf } from './objects.fixture.js';
import { clients, clientsOver, kindOf, registry } from './resources.fixture.js';

const further = [
  ['inetnum: 203.0.113.0 - 203.0.113.255', 'netname: EX-NET', 'country: NL', 'country: BE', 'org: ORG-EX1-TEST'],
  ['inet6num: 2001:db8:1::/48', 'netname: EX-NET6', 'org: ORG-EX3-TEST'],
  ['organisation: ORG-EX3-TEST', 'org-name: With a country', 'country: DE'],
  ['aut-num: AS64502', 'as-name: EX-AS', 'org: ORG-EX3-TEST'],
  ['route: 203.0.113.0/24', 'origin: AS64500'],
  ['route: 203.0.113.0/24', 'origin: AS64501'],
  ['route: 203.0.0.0/16', 'origin: AS64509'],
  ['route6: 2001:db8::/32', 'origin: AS64502'],
  ['route: 8.8.8.0/24', 'origin: AS64502'],
];

/** Each resource with its part of the answer, without positions. */
async function described(resources: string[], { resourcesOf } = { resourcesOf: clients(further).resources }) {
  const answer = await resourcesOf.batchDescribeResources({ resources });
  return answer.resources.map(({ network, routes, failure }) => ({
    network: network === undefined ? undefined : answer.networks[network],
    routes: routes.map((position) => `${answer.routes[position]?.prefix} ${answer.routes[position]?.origin}`),
    failure: kindOf(failure),
  }));
}

test('describes network, holder, contact and routes of each resource', async () => {
  const [one] = await described(['203.0.113.7']);
  expect(one).toEqual({
    network: {
      object: { source: 'TEST', type: 'inetnum', key: '203.0.113.0 - 203.0.113.255' },
      name: 'EX-NET',
      countries: ['NL', 'BE'],
      holderKey: 'ORG-EX1-TEST',
      holderName: 'Example',
      abuseContact: {
        found: { source: 'TEST', type: 'inetnum', key: '203.0.113.0 - 203.0.113.255' },
        role: 'AR1-TEST',
        email: 'abuse@example.net',
        suspect: false,
        orgId: 'ORG-EX1-TEST',
      },
    },
    routes: ['203.0.113.0/24 AS64500', '203.0.113.0/24 AS64501'],
    failure: undefined,
  });
});

test.each<[what: string, resource: string, key: string | undefined, more: object]>([
  [
    'the country of the organisation where the network has none',
    '2001:db8:1::1',
    '2001:db8:1::/48',
    { countries: ['DE'] },
  ],
  ['the name of an AS number', 'AS64502', 'AS64502', { name: 'EX-AS', countries: ['DE'] }],
  ['a prefix by what encloses it', '203.0.113.128/25', '203.0.113.0 - 203.0.113.255', { name: 'EX-NET' }],
  ['an IPv4 range', '203.0.113.1 - 203.0.113.9', '203.0.113.0 - 203.0.113.255', { name: 'EX-NET' }],
  ['the root of a space as unregistered', '8.8.8.8', undefined, {}],
  ['an AS number that is not registered', 'AS64999', undefined, {}],
])('tells %s', async (_what, resource, key, more) => {
  const [one] = await described([resource]);
  expect(one?.network?.object?.key).toBe(key);
  if (key !== undefined) expect(one?.network).toMatchObject(more);
});

test('returns the routes of the longest prefix, also of space that is not registered', async () => {
  const answers = await described(['203.0.113.7', '203.0.114.1', '8.8.8.8', '2001:db8:1::1', 'AS64500', '9.9.9.9']);
  expect(answers.map(({ routes }) => routes)).toEqual([
    ['203.0.113.0/24 AS64500', '203.0.113.0/24 AS64501'],
    ['203.0.0.0/16 AS64509'],
    ['8.8.8.0/24 AS64502'],
    ['2001:db8::/32 AS64502'],
    [],
    [],
  ]);
});

test('answers in the order of the request, and a text that is no resource alone fails', async () => {
  const answers = await described(['AS64500', 'nonsense', '203.0.113.1', 'AS64500']);
  expect(answers.map(({ network, failure }) => network?.object?.key ?? failure)).toEqual([
    'AS64500',
    'invalid',
    '203.0.113.0 - 203.0.113.255',
    'AS64500',
  ]);
});

test('lists what resources have in common once, and makes two calls for all of them', async () => {
  const { resources, requested } = clients(further);
  const many = Array.from({ length: 254 }, (_, n) => `203.0.113.${n + 1}`);
  const answer = await resources.batchDescribeResources({ resources: many });
  expect([answer.networks.length, answer.routes.length]).toEqual([1, 2]);
  expect(new Set(answer.resources.map(({ network }) => network))).toEqual(new Set([0]));
  expect(requested).toEqual({ batchFindEnclosing: [254, 254], batchLookup: [] });
});

test('returns at most ten routes of a prefix', async () => {
  const routes = Array.from({ length: 30 }, (_, n) => ['route: 198.51.100.0/24', `origin: AS${n}`]);
  const [one] = await described(['198.51.100.1'], { resourcesOf: clients(routes).resources });
  expect(one?.routes).toHaveLength(10);
});

test('describes the others when an organisation cannot be read', async () => {
  const objects = objectsOf([...registry, ...further], { unreadable: ['ORG-EX1-TEST'] });
  const answers = await described(['203.0.113.7', '2001:db8:1::1'], { resourcesOf: clientsOver(objects).resources });
  expect(answers.map(({ network }) => [network?.name, network?.holderName])).toEqual([
    ['EX-NET', ''],
    ['EX-NET6', 'With a country'],
  ]);
});

test('refuses more than 500 resources', async () => {
  const resources = Array.from({ length: 501 }, () => 'AS64500');
  await expect(clients().resources.batchDescribeResources({ resources })).rejects.toMatchObject({ kind: 'invalid' });
});
