import type { DescribeSetRequest, DescribeSetResponse } from '@cadastre/proto/whois';
import { ServiceError } from '@cadastre/service';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { exampleAuth, exampleReader, type RunningGateway, startGateway } from './gateway.fixture.js';

let gateway: RunningGateway;
const requested: DescribeSetRequest[] = [];
let answer: () => DescribeSetResponse[];

beforeAll(async () => {
  const describeSet = async function* (request: DescribeSetRequest) {
    requested.push(request);
    yield* answer();
  };
  gateway = await startGateway({ reader: exampleReader, auth: exampleAuth, sets: { describeSet } });
});
afterEach(() => void requested.splice(0));
afterAll(() => gateway.stop());

const nothing: DescribeSetResponse = {
  sets: [],
  missing: [],
  asNumbers: [],
  prefixCounts: [],
  ipv4Prefixes: [],
  ipv6Prefixes: [],
  routers: [],
  isPartial: false,
  serial: 0n,
};
const described = {
  type: 'route-set',
  name: 'RS-A',
  members: ['AS64500', 'RS-GONE', '192.0.2.0/24^+'],
  joined: ['198.51.100.0/24'],
};
const found: DescribeSetResponse[] = [
  { ...nothing, isPartial: true, serial: 4711n },
  { ...nothing, sets: [described], missing: ['RS-GONE'], asNumbers: [64500] },
  { ...nothing, asNumbers: [64501], prefixCounts: [3], ipv4Prefixes: ['192.0.2.0/24^+'] },
  { ...nothing, ipv4Prefixes: ['198.51.100.0/24'], ipv6Prefixes: ['2001:db8::/32'] },
];
const withoutPrefixes = {
  sets: [
    {
      type: 'route-set',
      name: 'RS-A',
      members: ['AS64500', 'RS-GONE', '192.0.2.0/24^+'],
      'by-reference': ['198.51.100.0/24'],
    },
  ],
  missing: ['RS-GONE'],
  'as-numbers': ['AS64500', 'AS64501'],
  routers: [],
  partial: true,
  serial: 4711,
};
const withPrefixes = {
  ...withoutPrefixes,
  'prefix-counts': [3],
  'ipv4-prefixes': ['192.0.2.0/24^+', '198.51.100.0/24'],
  'ipv6-prefixes': ['2001:db8::/32'],
};

it.each<[string, Partial<DescribeSetRequest>, object]>([
  ['', {}, withoutPrefixes],
  ['&source=test&depth=1&prefixes', { sources: ['test'], depth: 1, withPrefixes: true }, withPrefixes],
  ['&sources=A,B&sources=C', { sources: ['A', 'B', 'C'] }, withoutPrefixes],
  ['&source=test&sources=A,,B', { sources: ['test', 'A', 'B'] }, withoutPrefixes],
  ['&source=A,B&source=A,B', { sources: ['A', 'B'] }, withoutPrefixes],
  ['&prefixes&route-sources=A,,B', { withPrefixes: true, routeSources: ['A', 'B'] }, withPrefixes],
  ['&route-sources=', {}, withoutPrefixes],
])('a set is expanded: ?set=RS-A%s', async (query, request, document) => {
  answer = () => found;
  const sent = await gateway.send(`/search/expansion?set=RS-A${query}`);
  expect([sent.status, sent.headers['content-type']]).toEqual([200, 'application/json']);
  expect(JSON.parse(sent.text)).toEqual(document);
  const usual = { name: 'RS-A', sources: [], routeSources: [], depth: undefined, withPrefixes: false };
  expect(requested).toEqual([{ ...usual, client: expect.stringMatching(/./), ...request }]);
});

it.each(['RIPE::AS-EX', 'RIPE%3A%3AAS-EX'])('a set of a source is expanded: %s', async (name) => {
  answer = () => found;
  expect((await gateway.send(`/search/expansion?set=${name}&sources=RADB,SECURE`)).status).toBe(200);
  expect(requested).toMatchObject([{ name: 'RIPE::AS-EX', sources: ['RADB', 'SECURE'] }]);
});

it.each([
  ['invalid', 400],
  ['not-found', 404],
  ['out-of-range', 400],
  ['unavailable', 503],
] as const)('a failure that is %s has the status %i', async (kind, status) => {
  answer = () => {
    throw new ServiceError(kind, 'No set');
  };
  expect((await gateway.send('/search/expansion?set=X')).status).toBe(status);
});

it('is 503 without a whois service', async () => {
  const without = await startGateway({ reader: exampleReader, auth: exampleAuth });
  const sent = await without.send('/search/expansion?set=AS-EX');
  expect(sent.status).toBe(503);
  expect(sent.text).toContain('it runs no whois service');
  await without.stop();
});
