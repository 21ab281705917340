import type { ExpandSetRequest, ExpandSetResponse } from '@cadastre/proto/search';
import { ServiceError } from '@cadastre/service';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { exampleAuth, exampleReader, type RunningGateway, startGateway } from './gateway.fixture.js';

let gateway: RunningGateway;
const asked: ExpandSetRequest[] = [];
let answer: () => ExpandSetResponse;

beforeAll(async () => {
  const expandSet = async (request: ExpandSetRequest) => {
    asked.push(request);
    return answer();
  };
  gateway = await startGateway({ reader: exampleReader, auth: exampleAuth, search: { expandSet } });
});
afterEach(() => void asked.splice(0));
afterAll(() => gateway.stop());

const found: ExpandSetResponse = {
  sets: [
    { type: 'route-set', name: 'RS-A', members: ['AS64500', 'RS-GONE', '192.0.2.0/24^+'], joined: ['198.51.100.0/24'] },
  ],
  missing: ['RS-GONE'],
  asNumbers: [64500],
  prefixCounts: [3],
  ipv4Prefixes: ['192.0.2.0/24^+', '198.51.100.0/24'],
  ipv6Prefixes: ['2001:db8::/32'],
  routers: [],
  isPartial: true,
  serial: 4711n,
};
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
  'as-numbers': ['AS64500'],
  routers: [],
  partial: true,
  serial: 4711,
};
const withPrefixes = {
  ...withoutPrefixes,
  'prefix-counts': [3],
  'ipv4-prefixes': found.ipv4Prefixes,
  'ipv6-prefixes': found.ipv6Prefixes,
};

it.each([
  ['', { source: '', depth: undefined, withPrefixes: false }, withoutPrefixes],
  ['&source=test&depth=1&prefixes', { source: 'test', depth: 1, withPrefixes: true }, withPrefixes],
])('a set is expanded: ?set=RS-A%s', async (query, request, document) => {
  answer = () => found;
  const sent = await gateway.send(`/search/expansion?set=RS-A${query}`);
  expect([sent.status, sent.headers['content-type']]).toEqual([200, 'application/json']);
  expect(JSON.parse(sent.text)).toEqual(document);
  expect(asked).toEqual([{ name: 'RS-A', client: expect.stringMatching(/./), ...request }]);
});

it.each([
  ['invalid', 400],
  ['not-found', 404],
  ['unavailable', 503],
] as const)('a failure that is %s has the status %i', async (kind, status) => {
  answer = () => {
    throw new ServiceError(kind, 'No set');
  };
  expect((await gateway.send('/search/expansion?set=X')).status).toBe(status);
});
