import type { BatchDescribeResourcesResponse } from '@cadastre/proto/geo';
import { RoaState } from '@cadastre/proto/search';
import { failureOf, ServiceError } from '@cadastre/service';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type RunningGateway, type SendOptions, startGateway } from './gateway.fixture.js';
import { limitedBackends } from './limits.fixture.js';

const example: BatchDescribeResourcesResponse['networks'][number] = {
  object: { source: 'TEST', type: 'inetnum', key: '192.0.2.0 - 192.0.2.255' },
  name: 'EXAMPLE-NET',
  countries: ['NL', 'BE'],
  holderKey: 'ORG-EX1-TEST',
  holderName: '=Example, "Ltd"',
  abuseContact: { found: undefined, role: 'AR1-TEST', email: 'abuse@example.net', suspect: false, orgId: '' },
};
const routes = ['AS64500', 'AS64501', 'AS64502', 'AS64503'].map((origin) => ({ prefix: '192.0.2.0/24', origin }));
const states = [
  RoaState.ROA_STATE_VALID,
  RoaState.ROA_STATE_INVALID,
  RoaState.ROA_STATE_NOT_FOUND,
  RoaState.ROA_STATE_UNSPECIFIED,
];
const failure = failureOf(new ServiceError('invalid', 'Invalid argument: nonsense'));

/** Numbers of resources and routes of each call. */
const calls: { described: number[]; validated: number[] } = { described: [], validated: [] };
let failsFrom = Number.POSITIVE_INFINITY;
let roaFailure: ServiceError | undefined;
let gateway: RunningGateway;

beforeAll(async () => {
  gateway = await startGateway(
    {
      ...limitedBackends,
      resources: {
        batchDescribeResources: async ({ resources }) => {
          calls.described.push(resources.length);
          if (calls.described.length >= failsFrom) throw new ServiceError('unavailable', 'Search is away');
          return {
            resources: resources.map((text) => {
              if (text === 'nonsense') return { routes: [], failure };
              return text.startsWith('192.') ? { network: 0, routes: [0, 1, 2, 3] } : { routes: [] };
            }),
            networks: [example],
            routes,
          };
        },
      },
      roa: {
        batchValidateRoutes: async ({ routes: requested }) => {
          calls.validated.push(requested.length);
          if (roaFailure) throw roaFailure;
          return { states, conflicts: [] };
        },
      },
    },
    { CADASTRE_LIMITS: '127.0.0.0/8 bulk-resources=-1, account:slow@example.net bulk-resources=5' },
  );
});
afterEach(() => {
  calls.described.splice(0);
  calls.validated.splice(0);
  failsFrom = Number.POSITIVE_INFINITY;
  roaFailure = undefined;
});
afterAll(() => gateway.stop());

const lookUp = (body: string, headers: Record<string, string> = {}, more: SendOptions = {}) =>
  gateway.send('/bulk-lookup', {
    method: 'POST',
    headers: { 'content-type': 'text/plain', ...headers },
    body,
    ...more,
  });
const many = (count: number) => Array.from({ length: count }, (_, n) => `192.0.2.${n % 256}`);

const described = {
  resource: '192.0.2.77',
  network: {
    source: 'TEST',
    type: 'inetnum',
    key: '192.0.2.0 - 192.0.2.255',
    name: 'EXAMPLE-NET',
    countries: ['NL', 'BE'],
  },
  'resource-holder': { key: 'ORG-EX1-TEST', name: '=Example, "Ltd"' },
  'abuse-contact': { key: 'AR1-TEST', email: 'abuse@example.net', suspect: false },
  routes: [
    { prefix: '192.0.2.0/24', origin: 'AS64500', roa: 'valid' },
    { prefix: '192.0.2.0/24', origin: 'AS64501', roa: 'invalid' },
    { prefix: '192.0.2.0/24', origin: 'AS64502', roa: 'not-found' },
    { prefix: '192.0.2.0/24', origin: 'AS64503' },
  ],
};
const unknown = { resource: '2001:db8::1', routes: [] };
const refused = { resource: 'nonsense', routes: [], error: 'Invalid argument: nonsense' };
const text = '# a list\r\n192.0.2.77\n\n  2001:db8::1 # here\nnonsense\n';

describe('the forms', () => {
  it('are JSON by default, one answer for each line in its order', async () => {
    const sent = await lookUp(text);
    expect([sent.status, sent.headers['content-type']]).toEqual([200, 'application/json']);
    expect(JSON.parse(sent.text)).toEqual({ resources: [described, unknown, refused] });
  });

  it('are an object in each line', async () => {
    const sent = await lookUp(text, { accept: 'application/x-ndjson' });
    expect(sent.headers['content-type']).toBe('application/x-ndjson');
    expect(
      sent.text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual([described, unknown, refused]);
  });

  it('are CSV that spreadsheets do not run', async () => {
    const sent = await lookUp(text, { accept: 'text/csv, */*;q=0.1' });
    expect(sent.headers['content-type']).toBe('text/csv;charset=utf-8');
    expect(sent.text.split('\r\n')).toEqual([
      'resource,network,name,country,holder,holder-key,abuse-email,abuse-suspect,prefix,origin,roa,error',
      `192.0.2.77,192.0.2.0 - 192.0.2.255,EXAMPLE-NET,NL BE,"'=Example, ""Ltd""",ORG-EX1-TEST,abuse@example.net,false,192.0.2.0/24,AS64500 AS64501 AS64502 AS64503,valid invalid not-found unknown,`,
      '2001:db8::1,,,,,,,,,,,',
      'nonsense,,,,,,,,,,,Invalid argument: nonsense',
      '',
    ]);
  });
});

it('accepts a list in JSON', async () => {
  const sent = await lookUp('{"resources":["192.0.2.77","2001:db8::1"]}', { 'content-type': 'application/json' });
  expect(JSON.parse(sent.text)).toEqual({ resources: [described, unknown] });
});

it('is a read: without HTTPS, for pages of other sites, compressed', async () => {
  const headers = { origin: 'https://elsewhere.example', 'sec-fetch-site': 'cross-site', 'accept-encoding': 'gzip' };
  const sent = await lookUp(many(100).join('\n'), headers, { secure: false });
  expect(sent.status).toBe(200);
  expect(sent.headers).toMatchObject({ 'access-control-allow-origin': '*', 'content-encoding': 'gzip' });
});

describe('many resources', () => {
  it('make few calls', async () => {
    const sent = await lookUp(many(10_000).join('\n'), { accept: 'application/x-ndjson' });
    expect(sent.text.trimEnd().split('\n')).toHaveLength(10_000);
    expect(calls.described).toHaveLength(40);
    expect(calls.validated).toEqual(calls.described.map(() => 4));
  });

  it.each([
    ['application/json', (body: string) => JSON.parse(body).resources],
    [
      'application/x-ndjson',
      (body: string) =>
        body
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
    ],
  ])('get an answer each when the registry breaks off: %s', async (accept, read) => {
    failsFrom = 3;
    const sent = await lookUp(many(2_000).join('\n'), { accept });
    const answers: { error?: string }[] = read(sent.text);
    expect(answers).toHaveLength(2_000);
    expect(answers.filter(({ error }) => error === 'Search is away')).toHaveLength(1_500);
    expect(calls.described).toEqual([250, 250, 250]);
  });

  it.each(['unavailable'] as const)('have no states of routes while search is %s', async (kind) => {
    roaFailure = new ServiceError(kind, 'Search does not answer');
    const sent = await lookUp('192.0.2.77');
    expect(JSON.parse(sent.text).resources[0].routes).toEqual(routes);
  });

  it('are refused when the first call fails', async () => {
    failsFrom = 1;
    expect((await lookUp('192.0.2.77')).status).toBe(503);
  });
});

describe('refuses', () => {
  it.each<[what: string, body: string, headers: Record<string, string>, status: number, message: string]>([
    ['an empty list', '# nothing\n', {}, 400, 'At least one address'],
    ['too many', many(10_001).join('\n'), {}, 400, 'More than 10000 resources'],
    ['a large body', 'x'.repeat(512 * 1024 + 1), {}, 413, 'larger than 524288 bytes'],
    ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }, 415, 'use text/plain or'],
    ['JSON without a list', '{}', { 'content-type': 'application/json' }, 400, '"resources" must be a list'],
    ['other values', '{"resources":[1]}', { 'content-type': 'application/json' }, 400, '"resources" must be a list'],
    ['a form of answers that there is not', '192.0.2.1', { accept: 'application/pdf' }, 415, 'or text/csv'],
  ])('%s', async (_what, body, headers, status, message) => {
    const sent = await lookUp(body, headers);
    expect([sent.status, sent.headers['content-type']]).toEqual([status, 'application/json']);
    expect(messageOf(sent.text)).toContain(message);
    expect(calls.described).toEqual([]);
  });

  it('more resources than a client may send in a minute, and shows how many are left', async () => {
    const credential = { headers: { 'content-type': 'text/plain', authorization: 'Basic slow' } };
    const send = (count: number) =>
      gateway.send('/bulk-lookup', { method: 'POST', body: many(count).join('\n'), ...credential });
    const first = await send(4);
    expect([first.status, first.headers.ratelimit]).toEqual([200, expect.stringMatching(/"bulk-resources";r=1;t=\d+/)]);
    const second = await send(4);
    expect([second.status, messageOf(second.text)]).toEqual([
      429,
      expect.stringContaining('at most 5 resources per minute'),
    ]);
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(0);
    expect(messageOf((await send(6)).text)).toBe('More than 5 resources');
  });
});

/** The text of the first message of a refusal. */
function messageOf(body: string): string {
  const [message] = JSON.parse(body).errormessages.errormessage;
  const args = [...(message.args ?? [])];
  return message.text.replace(/%[sd]/g, () => args.shift().value);
}
