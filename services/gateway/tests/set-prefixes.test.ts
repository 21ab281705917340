import {
  AddressFamily,
  type ExpandSetRequest,
  type ExpandSetResponse,
  OmissionReason,
  type PrefixGroup,
} from '@cadastre/proto/whois';
import { ServiceError } from '@cadastre/service';
import { afterAll, afterEach, beforeAll, expect, it, test } from 'vitest';
import { exampleAuth, exampleReader, type RunningGateway, startGateway } from './gateway.fixture.js';

let gateway: RunningGateway;
const requested: ExpandSetRequest[] = [];
let answer: () => AsyncIterable<ExpandSetResponse> | Iterable<ExpandSetResponse>;

beforeAll(async () => {
  gateway = await startGateway({
    reader: exampleReader,
    auth: exampleAuth,
    sets: {
      async *expandSet(request) {
        requested.push(request);
        yield* answer();
      },
    },
  });
});
afterEach(() => void requested.splice(0));
afterAll(() => gateway.stop());

function pages(...groups: readonly PrefixGroup[][]): ExpandSetResponse[] {
  return [{ serial: 4711n, groups: [] }, ...groups.map((some) => ({ serial: 0n, groups: some }))];
}

const together = pages([{ prefixes: '192.0.2.0/24\n198.51.100.0/24^25-26' }], [{ prefixes: '2001:db8::/32' }]);
const byOrigin = pages(
  [
    { origin: 64500, prefixes: '192.0.2.0/24' },
    { origin: 64501, prefixes: '' },
    { origin: 64502, prefixes: '192.0.2.0/25' },
  ],
  [
    { origin: 64502, prefixes: '192.0.2.128/25\n198.51.100.0/24' },
    { origin: 64503, prefixes: '2001:db8::/32' },
  ],
);
const head = { source: 'TEST', type: 'as-set', name: 'AS64500:AS-EX', serial: 4711 };
const listed = { ...head, prefixes: ['192.0.2.0/24', '198.51.100.0/24^25-26', '2001:db8::/32'] };
const listedByOrigin = {
  ...head,
  origins: [
    { origin: 'AS64500', prefixes: ['192.0.2.0/24'] },
    { origin: 'AS64501', prefixes: [] },
    { origin: 'AS64502', prefixes: ['192.0.2.0/25', '192.0.2.128/25', '198.51.100.0/24'] },
    { origin: 'AS64503', prefixes: ['2001:db8::/32'] },
  ],
};

it.each<[string, ExpandSetResponse[], object]>([
  ['', together, listed],
  ['?by=origin', byOrigin, listedByOrigin],
  ['.json', pages(), { ...head, prefixes: [] }],
  ['?by=origin', pages(), { ...head, origins: [] }],
])('a set is listed in JSON: %s', async (tail, messages, document) => {
  answer = () => messages;
  const sent = await gateway.send(`/test/AS-SET/as64500:as-ex/expanded${tail}`);
  expect([sent.status, sent.headers['content-type'], sent.headers.etag]).toEqual([200, 'application/json', undefined]);
  expect(sent.headers['cadastre-serial']).toBe('4711');
  expect(JSON.parse(sent.text)).toEqual(document);
});

it.each<[string, ExpandSetResponse[], string]>([
  ['.txt', together, '192.0.2.0/24\n198.51.100.0/24^25-26\n2001:db8::/32\n'],
  [
    '.txt?by=origin',
    byOrigin,
    'AS64500 192.0.2.0/24\nAS64502 192.0.2.0/25\nAS64502 192.0.2.128/25\nAS64502 198.51.100.0/24\nAS64503 2001:db8::/32\n',
  ],
  ['.txt', pages(), ''],
])('and in text: %s', async (tail, messages, text) => {
  answer = () => messages;
  const sent = await gateway.send(`/TEST/as-set/AS-EX/expanded${tail}`);
  expect([sent.status, sent.headers['content-type'], sent.text]).toEqual([200, 'text/plain;charset=utf-8', text]);
});

const bySource = pages(
  [
    { origin: 64500, prefixes: '192.0.2.0/24\n192.0.2.0/25', sources: 'TEST' },
    { origin: 64500, prefixes: '198.51.100.0/24', sources: 'TEST,OTHER-GRS' },
    { origin: 64501, prefixes: '' },
  ],
  [{ origin: 64502, prefixes: '2001:db8::/32', sources: 'OTHER-GRS' }],
);

test('by origin, prefixes have their sources', async () => {
  answer = () => bySource;
  const json = await gateway.send('/test/AS-SET/as64500:as-ex/expanded?by=origin');
  expect(JSON.parse(json.text)).toEqual({
    ...head,
    origins: [
      {
        origin: 'AS64500',
        prefixes: ['192.0.2.0/24', '192.0.2.0/25', '198.51.100.0/24'],
        sources: ['TEST', 'TEST', 'TEST,OTHER-GRS'],
      },
      { origin: 'AS64501', prefixes: [] },
      { origin: 'AS64502', prefixes: ['2001:db8::/32'], sources: ['OTHER-GRS'] },
    ],
  });
  expect((await gateway.send('/test/AS-SET/as64500:as-ex/expanded.txt?by=origin')).text).toBe(
    'AS64500 192.0.2.0/24 TEST\nAS64500 192.0.2.0/25 TEST\nAS64500 198.51.100.0/24 TEST,OTHER-GRS\n' +
      'AS64502 2001:db8::/32 OTHER-GRS\n',
  );
});

const { OMISSION_REASON_UNKNOWN_SET, OMISSION_REASON_TOO_LARGE, OMISSION_REASON_ROA_INVALID } = OmissionReason;
const explained: ExpandSetResponse[] = [
  { serial: 4711n, groups: [] },
  {
    ...{ serial: 0n, groups: [] },
    omissions: {
      ...{ more: 0n, isPartial: false },
      list: [
        { reason: OMISSION_REASON_UNKNOWN_SET, set: 'AS-GONE', memberOf: 'AS-EX', sources: [] },
        { reason: OMISSION_REASON_TOO_LARGE, set: 'AS-BIG', sources: [], detail: 'Set AS-BIG is too large' },
      ],
    },
  },
  {
    ...{ serial: 0n, groups: [] },
    omissions: {
      ...{ more: 12n, isPartial: true },
      list: [
        {
          ...{ reason: OMISSION_REASON_ROA_INVALID, prefix: '192.0.2.0/24', origin: 64500, sources: ['TEST'] },
          roa: { prefix: '192.0.2.0/24', maxLength: 24, origin: 64501 },
        },
      ],
    },
  },
];

test('what is left out is explained', async () => {
  answer = () => explained;
  const json = await gateway.send('/test/AS-SET/as64500:as-ex/expanded?explain&exclude=AS-A,AS-B');
  expect(requested[0]).toMatchObject({ explain: true, excludedSets: ['AS-A', 'AS-B'] });
  expect(JSON.parse(json.text)).toEqual({
    ...head,
    omissions: [
      { reason: 'unknown-set', set: 'AS-GONE', 'member-of': 'AS-EX' },
      { reason: 'too-large', set: 'AS-BIG', detail: 'Set AS-BIG is too large' },
      {
        ...{ reason: 'roa-invalid', prefix: '192.0.2.0/24', origin: 'AS64500', sources: ['TEST'] },
        roa: { prefix: '192.0.2.0/24', 'max-length': 24, origin: 'AS64501' },
      },
    ],
    more: 12,
    partial: true,
  });
  expect((await gateway.send('/test/AS-SET/as64500:as-ex/expanded.txt?explain')).text).toBe(
    'unknown-set AS-GONE in AS-EX\ntoo-large AS-BIG: Set AS-BIG is too large\n' +
      'roa-invalid 192.0.2.0/24 AS64500 TEST roa 192.0.2.0/24-24 AS64501\nmore 12\npartial\n',
  );
  answer = () => [explained[0]!, { ...explained[0]!, omissions: { list: [], more: 0n, isPartial: false } }];
  const none = await gateway.send('/test/AS-SET/as64500:as-ex/expanded?explain');
  expect(JSON.parse(none.text)).toEqual({ ...head, omissions: [], more: 0, partial: false });
});

it.each<[accept: string, type: string]>([
  ['text/plain', 'text/plain;charset=utf-8'],
  ['text/plain;q=0.5, application/json', 'application/json'],
  ['*/*', 'application/json'],
])('Accept chooses the form: %s', async (accept, type) => {
  answer = () => together;
  const sent = await gateway.send('/TEST/as-set/AS-EX/expanded', { headers: { accept } });
  expect(sent.headers['content-type']).toBe(type);
});

const usual = {
  sources: ['TEST'],
  routeSources: [],
  name: 'AS-EX',
  family: AddressFamily.ADDRESS_FAMILY_UNSPECIFIED,
  aggregate: false,
  byOrigin: false,
  client: '127.0.0.1',
  explain: false,
  excludedSets: [],
};

it.each<[string, Partial<ExpandSetRequest>]>([
  ['/TEST/as-set/AS-EX/expanded', {}],
  ['/whois/TEST/as-set/AS-EX%2Fexpanded', {}],
  [
    '/TEST/route-set/RS-EX/expanded?family=4&aggregate',
    {
      name: 'RS-EX',
      aggregate: true,
      family: AddressFamily.ADDRESS_FAMILY_IPV4,
    },
  ],
  ['/TEST/as-set/AS-EX/expanded?family=6', { family: AddressFamily.ADDRESS_FAMILY_IPV6 }],
  ['/TEST/as-set/AS-EX/expanded?by=origin&sources=A,B&sources=C', { byOrigin: true, sources: ['TEST', 'A', 'B', 'C'] }],
  ['/TEST/as-set/AS-EX/expanded?route-sources=A,B&route-sources=C', { routeSources: ['A', 'B', 'C'] }],
  [
    '/TEST/as-set/AS-EX/expanded?explain&sources=A&route-sources=,RPKI',
    { explain: true, sources: ['TEST', 'A'], routeSources: ['RPKI'] },
  ],
  ['/TEST/as-set/AS-EX/expanded?route-sources=', {}],
  ['/TEST/as-set/AS-EX/expanded?source=A,B', { sources: ['TEST', 'A', 'B'] }],
  ['/TEST/as-set/RIPE::AS-EX/expanded', { name: 'RIPE::AS-EX' }],
  ['/TEST/as-set/RIPE%3A%3AAS1%3AAS-EX/expanded.txt', { name: 'RIPE::AS1:AS-EX' }],
  [
    '/TEST/route-set/ripe::rs-ex/expanded?exclude=RADB::AS-B,AS-C',
    { name: 'ripe::rs-ex', excludedSets: ['RADB::AS-B', 'AS-C'] },
  ],
  ['/SECURE/as-set/AS-EX/expanded?sources=RADB', { sources: ['SECURE', 'RADB'] }],
])('%s requests the expansion', async (path, request) => {
  answer = () => pages();
  expect((await gateway.send(path)).status).toBe(200);
  expect(requested).toEqual([{ ...usual, ...request }]);
});

it.each([
  ['/TEST/mntner/EXAMPLE-MNT/expanded', 400, 'cannot be expanded'],
  ['/TEST/rtr-set/RTRS-EX/expanded', 400, 'cannot be expanded'],
  ['/TEST/as-set/RS-EX/expanded', 400, 'ERROR:115'],
  ['/TEST/as-set/RIPE::RS-EX/expanded', 400, 'ERROR:115'],
  ['/TEST/as-set/RIPE::/expanded', 400, 'ERROR:115'],
  ['/NONE/as-set/RS-EX/expanded', 400, 'NONE'],
  ['/TEST/as-set/AS-EX/expanded?family=5', 400, '"family"'],
  ['/TEST/as-set/AS-EX/expanded?by=size', 400, '"by"'],
  ['/TEST/as-set/AS-EX/expanded.xml', 415, 'text/plain'],
])('%s is refused', async (path, status, text) => {
  const sent = await gateway.send(path);
  expect([sent.status, requested]).toEqual([status, []]);
  expect(sent.text).toContain(text);
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
  expect((await gateway.send('/TEST/as-set/AS-X/expanded')).status).toBe(status);
});

test('its prefixes are among the bytes that a client gets in a minute', async () => {
  const used = async () => {
    const { limits } = JSON.parse((await gateway.send('/metadata/limits.json')).text);
    return limits.limit.find(({ name }: { name: string }) => name === 'bytes').used;
  };
  const before = await used();
  answer = () => pages([{ prefixes: Array.from({ length: 2_000 }, () => '192.0.2.0/24').join('\n') }]);
  await gateway.send('/test/as-set/as64500:as-ex/expanded');
  expect((await used()) - before).toBe(2_000 * '192.0.2.0/24\n'.length - 1);
});

test('HEAD has no body, and ends the expansion', async () => {
  let ended = false;
  answer = function* () {
    try {
      yield* together;
    } finally {
      ended = true;
    }
  };
  const sent = await gateway.send('/TEST/as-set/AS-EX/expanded', { method: 'HEAD' });
  expect([sent.status, sent.text, sent.headers['cadastre-serial']]).toEqual([200, '', '4711']);
  await expect.poll(() => ended).toBe(true);
});

it.each(['', '.txt'])('an aborted expansion aborts the connection, so that no client uses a part: %s', async (end) => {
  answer = async function* () {
    yield* together;
    throw new ServiceError('unavailable', 'The index is gone');
  };
  const { promise, resolve } = Promise.withResolvers<string>();
  const received = await gateway.begin(`/TEST/as-set/AS-EX/expanded${end}`).answer;
  received.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
  received.on('end', () => resolve('end'));
  received.resume();
  expect([received.statusCode, await promise]).toEqual([200, 'ECONNRESET']);
});

test('a registry without a whois service says so', async () => {
  const without = await startGateway();
  try {
    const sent = await without.send('/TEST/as-set/AS-EX/expanded');
    expect(sent.status).toBe(503);
    expect(sent.text).toContain('it runs no whois service');
  } finally {
    await without.stop();
  }
});
