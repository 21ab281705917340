import { randomInt } from 'node:crypto';
import type { Block } from '@cadastre/proto/auth';
import { type UpdateObjectRequest, WriteOutcome } from '@cadastre/proto/objects';
import { Severity } from '@cadastre/proto/registry';
import type { SearchRequest, SearchResponse } from '@cadastre/proto/search';
import { type Call, ServiceError, SettingsError } from '@cadastre/service';
import { fixedClock } from '@cadastre/service/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type RunningGateway, type SendOptions, startGateway } from './gateway.fixture.js';
import { clientAt, limitedBackends, limitedSettings, objects } from './limits.fixture.js';

const noon = '2026-11-21T12:00:00Z';
const clock = fixedClock(noon);
let gateway: RunningGateway;
/** The operator's blocks. */
let blocks: Block[] = [];
/** Notifies the gateway that they changed. */
let publishing = Promise.withResolvers<void>();
/** A version of 60 kB. */
const large = {
  ...objects.mntner,
  text: objects.mntner.text.replace('mnt-by', `descr: ${'x'.repeat(60_000)}\nmnt-by`),
};
/** The answer of objects to an update: it has only one account. */
const writeResult = (attributes: readonly { readonly name: string; readonly value: string }[]) => {
  namesRequested.push(...attributes.flatMap(({ name, value }) => (name === 'auth' ? [value] : [])));
  const unknown = attributes.filter(({ name, value }) => name === 'auth' && value !== 'SSO alice@example.net');
  const messages = unknown.map(({ value }) => ({
    severity: Severity.SEVERITY_ERROR,
    text: 'No RIPE NCC Access Account found for %s',
    args: [value.slice(4)],
  }));
  return { outcome: WriteOutcome.WRITE_OUTCOME_INVALID, messages, serial: 0n };
};
/** The looked-up values of `auth`. */
const namesRequested: string[] = [];
/** Pages of the search service. */
let pages: SearchResponse[];
/** The requests to it. */
const requested: SearchRequest[] = [];
/** Ends the searches and writes that hang. */
const hanging: (() => void)[] = [];
/** More than the responses of a test take on a busy machine: it is used up only by what the search service reports. */
const maxProcessingMs = 60_000;
/** Searches and writes hang until a test ends them, however long it takes. */
const deadlines = 'read=5m write=5m search=5m';

beforeAll(async () => {
  const search = async function* (request: SearchRequest) {
    requested.push(request);
    if (request.query === 'slow') await new Promise<void>((resolve) => hanging.push(resolve));
    yield* pages;
  };
  const watchCredentials = async function* (_request: unknown, { signal }: Call) {
    signal.addEventListener('abort', () => publishing.resolve());
    while (!signal.aborted) {
      yield { accountIds: [], blocks: { blocks } };
      await publishing.promise;
    }
  };
  const env = {
    ...limitedSettings,
    CADASTRE_GATEWAY_DEADLINES: deadlines,
    CADASTRE_LIMITS: [
      'personal-objects=3 queries=20 searches=8 updates=5',
      'concurrent-requests=3 concurrent-searches=2 concurrent-updates=1',
      `search-objects=7 failed-credentials=2 unknown-accounts=2 bytes=100000 processing=${maxProcessingMs}`,
      'block-after=3 block-time=3600',
      '198.51.100.0/24 exempt',
      '2001:db8:e::/48 exempt',
      '203.0.113.0/24 personal-objects=1',
      '203.0.113.128/25 personal-objects=2',
      '203.0.113.192/26 personal-objects=8',
      '198.18.0.1 concurrent-requests=9',
      'account:bob@example.net personal-objects=5',
      '192.0.2.99 search-objects=9',
    ].join(', '),
  };
  const updateObject = async ({ object }: UpdateObjectRequest) => ({ result: writeResult(object!.attributes) });
  const createObject = async () => {
    await new Promise<void>((resolve) => hanging.push(resolve));
    throw new ServiceError('unavailable', 'away');
  };
  const getVersion = async ({ revision }: { revision: number }) => {
    return { object: revision === 2 ? large : objects.person, current: true };
  };
  const reader = { ...limitedBackends.reader, getVersion };
  const backends = {
    ...limitedBackends,
    reader,
    search: { search, ...costly },
    writer: { createObject, updateObject },
  };
  const auth = { ...limitedBackends.auth, watchCredentials };
  gateway = await startGateway({ ...backends, auth }, env, clock.now, { credentialSilence: 600_000 });
});
afterAll(() => gateway.stop());
beforeEach(() => clock.set(noon));

const noCursor = Buffer.alloc(0);
/** Calls of the search service that need more than a client may cost in a minute. */
const costly = {
  searchWords: async () => ({
    found: [],
    counts: [],
    isPartial: false,
    serial: 1n,
    cursor: noCursor,
    processingMs: maxProcessingMs + 1,
  }),
  suggest: async () => ({ suggestions: [], processingMs: maxProcessingMs + 1 }),
  countObjects: async () => ({ counts: [], isPartial: false, serial: 1n, processingMs: maxProcessingMs + 1 }),
  searchNames: async () => ({ objects: [], cursor: noCursor, serial: 1n, processingMs: maxProcessingMs + 1 }),
  listBelow: async () => ({ keys: [], objects: 0, tooMany: false, serial: 1n, processingMs: maxProcessingMs + 1 }),
};

/** A client that has sent nothing yet. */
const newClient = () => clientAt(gateway, newAddress());
const newAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;

const person = '/TEST/person/PP1-TEST.txt';
const statusesOf = async (send: ReturnType<typeof clientAt>, paths: string[]) => {
  const statuses: number[] = [];
  for (const path of paths) statuses.push((await send(path)).status);
  return statuses;
};
const page = (...found: (typeof objects.person)[]): SearchResponse => ({
  objects: found.map((object) => ({
    object,
    related: false,
    managedAttributes: [],
    managedMaintainers: [],
    messages: [],
  })),
  flags: [],
  messages: [],
  serial: 0n,
});

describe('the limit on personal objects', () => {
  it('lets a client see as many as it says, and then nothing that shows objects, until midnight UTC', async () => {
    const send = newClient();
    expect(await statusesOf(send, [person, person, person])).toEqual([200, 200, 200]);
    expect(await statusesOf(send, ['/TEST/mntner/EXAMPLE-MNT'])).toEqual([200]);
    const refused = await send(person);
    expect(refused.status).toBe(429);
    expect(refused.headers['retry-after']).toBe(String(12 * 3600));
    const closed = ['/TEST/mntner/EXAMPLE-MNT', '/TEST/person/PP1-TEST/versions', '/search?query-string=x'];
    const open = ['/metadata/templates/person', '/metadata/limits'];
    clock.advance(1000);
    expect(await statusesOf(send, [...closed, ...open])).toEqual([429, 429, 429, 200, 200]);
    clock.set('2026-11-22T00:00:00Z');
    expect(await statusesOf(send, [person])).toEqual([200]);
  });

  it.each([
    ['a person', person, true],
    ['a role', '/TEST/role/RR1-TEST', true],
    ['a version of a person', '/TEST/person/PP1-TEST/versions/1', true],
    ['a role with abuse-mailbox', '/TEST/role/AR1-TEST', false],
    ['a person of another registry', '/EXAMPLE-GRS/person/GP1-TEST', false],
    ['a mntner', '/TEST/mntner/EXAMPLE-MNT', false],
    ['a list of versions', '/TEST/person/PP1-TEST/versions', false],
    ['what does not exist', '/TEST/person/ABSENT-TEST', false],
  ])('of %s: counted or not', async (_, path, isCounted) => {
    const { headers } = await newClient()(path);
    expect(headers.ratelimit).toContain(`"personal-objects";r=${isCounted ? 2 : 3};t=43200`);
  });

  it('does not count objects for HEAD', async () => {
    const { headers } = await newClient()(person, { method: 'HEAD' });
    expect(headers.ratelimit).toContain('"personal-objects";r=3');
  });

  it('does not count objects that the caller maintains', async () => {
    const olga = { headers: { authorization: 'Basic olga' } };
    const lookup = await newClient()(person, olga);
    expect(lookup.headers.ratelimit).toContain('"personal-objects";r=3');
    pages = [page(objects.person, objects.person, objects.person, objects.person, objects.person)];
    const { text } = await newClient()('/search.txt?query-string=x', olga);
    expect(text.match(/^person:/gm)).toHaveLength(5);
  });

  it.each([
    ['JSON', '.json', '"text":"ERROR:201: access denied for %s\\n'],
    ['XML', '.xml', 'text="ERROR:201: access denied for %s&#xA;'],
    ['text', '.txt', 'ERROR:201: access denied for 10.'],
  ])('has the form that clients of this dialect expect, in %s', async (_, extension, text) => {
    const send = newClient();
    await statusesOf(send, [person, person, person]);
    const refused = await send(`/TEST/person/PP1-TEST${extension}`);
    expect([refused.status, refused.text]).toEqual([429, expect.stringContaining(text)]);
  });

  it('breaks a search off behind the last object that may be seen, well-formed and with status 200', async () => {
    pages = [
      page(objects.mntner, objects.person),
      page(objects.person, objects.person, objects.person, objects.mntner),
    ];
    const { status, text } = await newClient()('/search.json?query-string=x');
    const document = JSON.parse(text);
    expect([status, document.objects.object.length]).toEqual([200, 4]);
    expect(document.errormessages.errormessage[0].text).toMatch(/^ERROR:201: access denied for %s/);
  });

  it('refuses a search whose first object is one too many', async () => {
    const send = newClient();
    await statusesOf(send, [person, person, person]);
    pages = [page(objects.person)];
    expect((await send('/search.json?query-string=x')).status).toBe(429);
  });
});

describe('the bound on the objects of one search', () => {
  const seven = () => Array.from({ length: 7 }, () => objects.mntner);
  const found = ({ text }: { text: string }) => {
    const { objects: shown, errormessages } = JSON.parse(text);
    const messages = errormessages?.errormessage as { severity: string; text: string; args: { value: string }[] }[];
    return {
      count: shown.object.length,
      messages: messages?.map((one) => [one.severity, one.text, one.args[0]?.value]),
    };
  };
  const cut = ['Error', expect.stringMatching(/^ERROR:112: unsupported query\n\n/), '7'];

  it.each([
    ['as many as may be returned', [7], '', undefined],
    ['one more', [8], '', [cut]],
    ['one more on a later page', [4, 4], '', [cut]],
    ['one more, and as many asked for', [8], '&limit=9', [cut]],
    ['fewer asked for', [7], '&limit=7', undefined],
  ])('%s', async (_, lengths, query, messages) => {
    pages = lengths.map((length) => page(...Array.from({ length }, () => objects.mntner)));
    const answer = await newClient()(`/search.json?query-string=x${query}`);
    expect([answer.status, found(answer)]).toEqual([200, { count: 7, messages }]);
  });

  it('is sent to the search service, which stops reading there', async () => {
    pages = [page(...seven())];
    const address = newAddress();
    const send = clientAt(gateway, address);
    for (const query of ['', '&limit=3', '&limit=4000000000']) await send(`/search?query-string=limits${query}`);
    expect(requested.filter(({ query }) => query === 'limits').map(({ limit, client }) => [limit, client])).toEqual([
      [8, address],
      [3, address],
      [8, address],
    ]);
  });

  it('applies to skipped objects: a larger offset is refused', async () => {
    pages = [page(objects.mntner)];
    const send = newClient();
    expect((await send('/search?query-string=x&offset=7')).status).toBe(200);
    const refused = await send('/search.json?query-string=x&offset=8');
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('ERROR:112: unsupported query')]);
  });

  it('is ten times as high for an account, and an override replaces it', async () => {
    pages = Array.from({ length: 11 }, () => page(...seven()));
    const alice = await newClient()('/search.json?query-string=x', { headers: { authorization: 'Basic alice' } });
    expect(found(alice).count).toBe(70);
    expect(found(await clientAt(gateway, '192.0.2.99')('/search.json?query-string=x')).count).toBe(9);
    expect(found(await clientAt(gateway, '198.51.100.7')('/search.json?query-string=x')).count).toBe(77);
  });
});

describe('the cost of requests', () => {
  const largeVersion = '/TEST/mntner/EXAMPLE-MNT/versions/2.txt';
  const lookup = '/TEST/mntner/EXAMPLE-MNT';

  it('ends the allowance of a client until the minute ends', async () => {
    clock.advance(10_000);
    const send = newClient();
    expect(await statusesOf(send, [lookup, largeVersion, largeVersion])).toEqual([200, 200, 200]);
    const refused = await send(lookup);
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '50']);
    expect(refused.headers.ratelimit).toBe('"bytes";r=0;t=50');
    expect(refused.text).toContain('at most %d %s per minute');
    pages = [page(objects.mntner)];
    clock.advance(1_000);
    const all = ['/search?query-string=x', largeVersion, '/metadata/limits', '/metadata/templates/person'];
    expect(await statusesOf(send, all)).toEqual([429, 429, 200, 200]);
    expect(await statusesOf(newClient(), [lookup])).toEqual([200]);
    clock.advance(60_000);
    expect(await statusesOf(send, [lookup])).toEqual([200]);
  });

  it('is known before the next of many concurrent versions is read', async () => {
    const send = clientAt(gateway, '198.18.0.1');
    const statuses = await Promise.all(Array.from({ length: 9 }, async () => (await send(largeVersion)).status));
    // One is read while the response to the previous one is rendered.
    expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(3);
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(6);
  });

  it.each<[string, SendOptions]>([
    ['the client has the version already', { headers: { 'if-none-match': '*' } }],
    ['the method is HEAD', { method: 'HEAD' }],
  ])('counts when %s', async (_, options) => {
    const send = newClient();
    for (let n = 0; n < 2; n++) expect((await send(largeVersion, options)).status).toBeLessThan(400);
    expect((await send(lookup)).status).toBe(429);
  });

  it('is ten times as much for an account', async () => {
    const send = newClient();
    const alice = { headers: { authorization: 'Basic cost-alice' } };
    for (let n = 0; n < 5; n++) expect((await send(largeVersion, alice)).status).toBe(200);
    expect((await send(lookup, alice)).status).toBe(200);
  });

  it('of small responses is none', async () => {
    const send = newClient();
    for (let n = 0; n < 10; n++) await send(lookup);
    expect((await send('/metadata/limits.txt')).text).toMatch(/^bytes: +0 of 100000/m);
  });

  it('ends a search half-way, well-formed and with status 200', async () => {
    pages = Array.from({ length: 5 }, () => page(large));
    const { status, text } = await newClient()('/search.json?query-string=x');
    const document = JSON.parse(text);
    expect([status, document.objects.object.length]).toEqual([200, 2]);
    expect(document.errormessages.errormessage[0].args[1].value).toBe('bytes');
  });

  it('of bodies counts as well', async () => {
    const send = newClient();
    const auth = { authorization: 'Basic carol-cost' };
    const body = `{"objects":{"object":[]},"x":"${'x'.repeat(600_000)}"}`;
    const headers = { ...auth, 'content-type': 'application/json' };
    for (let n = 0; n < 2; n++) await send(lookup, { method: 'PUT', headers, body });
    expect((await send(lookup, { headers: auth })).status).toBe(429);
  });

  it.each([
    ['what a search finds', 200, [{ ...page(objects.mntner), processingMs: maxProcessingMs + 1 }]],
    [
      'later pages',
      200,
      [page(...Array(3).fill(large)), { ...page(objects.mntner), processingMs: maxProcessingMs + 1 }],
    ],
  ])('counts the time of %s', async (_, status, found) => {
    pages = found;
    const send = clientAt(gateway, newAddress());
    expect((await send('/search?query-string=x')).status).toBe(status);
    expect((await send(lookup)).status).toBe(429);
  });

  it.each([
    '/search/words?query-string=example',
    '/search/suggestions?beginning=example',
    '/search/counts?query-string=EXAMPLE-MNT&inverse-attribute=mnt-by',
    '/rdap/entities?fn=Example*',
    '/rdap/ips/rirSearch1/rdap-down/10.0.0.0/8',
    '/rdap/ips/reverse_search/entity?handle=EXAMPLE-MNT',
  ])('counts the time of GET %s', async (path) => {
    pages = [{ ...page(), processingMs: maxProcessingMs + 1 }];
    const send = newClient();
    expect((await send(path)).status).not.toBe(429);
    expect((await send(lookup)).status).toBe(429);
  });
});

describe('the limit on unknown accounts', () => {
  const put = (send: ReturnType<typeof clientAt>, account: string, names: readonly string[]) => {
    const attributes = [
      { name: 'mntner', value: 'EXAMPLE-MNT' },
      ...names.map((name) => ({ name: 'auth', value: name })),
    ];
    const body = JSON.stringify({ objects: { object: [{ attributes: { attribute: attributes } }] } });
    const headers = { authorization: `Basic ${account}`, 'content-type': 'application/json' };
    return send('/TEST/mntner/EXAMPLE-MNT?dry-run', { method: 'PUT', headers, body });
  };

  it('lets an account send as many, and then looks no name up until the minute ends', async () => {
    const send = newClient();
    const guess = (name: string) => put(send, 'guesser', [`SSO ${name}@example.net`]);
    for (const name of ['alice', 'a', 'b', 'c']) expect((await guess(name)).status).toBe(400);
    clock.advance(1_000);
    namesRequested.length = 0;
    const refused = await guess('d');
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '59']);
    for (const line of ['sso e@example.net', '# a comment\n SSO e@example.net', '\n+SSO e@example.net']) {
      expect((await put(newClient(), 'guesser', [line])).status).toBe(429);
    }
    expect(namesRequested).toEqual([]);
    expect((await put(send, 'guesser', ['PGPKEY-00000001'])).status).toBe(400);
    expect((await put(send, 'another-guesser', ['SSO a@example.net'])).status).toBe(400);
    clock.advance(60_000);
    expect((await guess('e')).status).toBe(400);
  });
});

describe('the client that a request counts for', () => {
  const usedUp = async (send: ReturnType<typeof clientAt>) =>
    void (await statusesOf(send, [person, person, person, person]));

  it('is an IPv6 /64, for any address in it', async () => {
    await usedUp(clientAt(gateway, '2001:db8:1:2::1'));
    expect((await clientAt(gateway, '2001:db8:1:2:ffff::2')(person)).status).toBe(429);
    expect((await clientAt(gateway, '2001:db8:1:3::1')(person)).status).toBe(200);
  });

  it('is the account after a sign-in, for any sender', async () => {
    const alice = { headers: { authorization: 'Basic alice' } };
    const address = newClient();
    for (let n = 0; n < 3; n++) expect((await newClient()(person, alice)).status).toBe(200);
    const refused = await address(person, alice);
    expect([refused.status, refused.text]).toEqual([429, expect.stringContaining('alice@example.net')]);
    expect((await address(person)).status).toBe(200);
  });

  it.each([
    ['198.51.100.7', 9],
    ['2001:db8:e:1::1', 9],
    ['203.0.113.1', 1],
    ['203.0.113.129', 2],
  ])('has other limits by the most specific prefix: %s', async (address, max) => {
    const statuses = await statusesOf(clientAt(gateway, address), Array<string>(10).fill(person));
    expect(statuses.filter((status) => status === 200)).toHaveLength(max === 9 ? 10 : max);
  });

  it('has other limits by its account', async () => {
    const bob = { headers: { authorization: 'Basic bob' } };
    const statuses = [];
    for (let n = 0; n < 6; n++) statuses.push((await newClient()(person, bob)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });

  it.each([
    ['of an exempt network: none', '198.51.100.9', 10],
    ['of a network with larger limits: those', '203.0.113.200', 8],
    ['of a network with smaller limits: its own', '203.0.113.5', 3],
  ])('has, for an account from an address %s', async (_, address, max) => {
    const account = { headers: { authorization: `Basic carol-${max}` } };
    const statuses = [];
    for (let n = 0; n < 10; n++) statuses.push((await clientAt(gateway, address)(person, account)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(max);
  });
});

describe('the limits on requests', () => {
  it('apply to reads and writes separately, in each second, for any path', async () => {
    const send = newClient();
    const read = await statusesOf(send, Array<string>(22).fill('/metadata/templates/person'));
    expect(read).toEqual([...Array<number>(20).fill(200), 429, 429]);
    const written = [];
    for (let n = 0; n < 7; n++) written.push((await send('/nowhere', { method: 'POST' })).status);
    expect(written).toEqual([404, 404, 404, 404, 404, 429, 429]);
    clock.advance(1000);
    const next = await send('/metadata/templates/person');
    expect([next.status, next.headers.ratelimit, next.headers['ratelimit-policy']]).toEqual([
      200,
      '"queries";r=19;t=1',
      '"queries";q=20;w=1',
    ]);
  });

  it('apply to searches separately: lookups still work', async () => {
    const send = newClient();
    pages = [page(objects.mntner)];
    const searched = await statusesOf(send, Array<string>(10).fill('/search.txt?query-string=x'));
    expect(searched).toEqual([...Array<number>(8).fill(200), 429, 429]);
    const { errormessages } = JSON.parse((await send('/search.json?query-string=x')).text);
    const reported = errormessages.errormessage[0].args.map((one: { value: string }) => one.value);
    expect(reported.slice(0, 2)).toEqual(['8', 'searches']);
    expect((await send('/TEST/mntner/EXAMPLE-MNT')).status).toBe(200);
    clock.advance(1000);
    const next = await send('/search.txt?query-string=x');
    expect([next.status, next.headers.ratelimit]).toEqual([
      200,
      '"personal-objects";r=3;t=43199, "queries";r=19;t=1, "searches";r=7;t=1',
    ]);
  });

  it('refuse further concurrent searches, and further concurrent requests', async () => {
    const send = newClient();
    pages = [page(objects.mntner)];
    const slow = '/search.txt?query-string=slow';
    const running = [send(slow), send(slow)];
    await expect.poll(() => hanging.length).toBe(2);
    const refused = await send('/search.json?query-string=x');
    expect([refused.status, refused.text]).toEqual([429, expect.stringContaining('"value":"searches"')]);
    expect((await newClient()('/search?query-string=x')).status).toBe(200);
    expect((await send('/TEST/mntner/EXAMPLE-MNT')).status).toBe(200);
    hanging[0]!();
    expect((await running[0]!).status).toBe(200);
    await expect.poll(async () => (await send('/search?query-string=x')).status).toBe(200);
    hanging[1]!();
    await running[1];
  });

  it('refuse a write beside too many that are under way', async () => {
    const send = newClient();
    const headers = { authorization: 'Basic dora', 'content-type': 'application/json' };
    const body = JSON.stringify({
      objects: { object: [{ attributes: { attribute: [{ name: 'mntner', value: 'A-MNT' }] } }] },
    });
    const write = () => send('/TEST/mntner', { method: 'POST', headers, body });
    const first = write();
    await expect.poll(() => hanging.length).toBe(3);
    const refused = await write();
    expect([refused.status, refused.text]).toEqual([429, expect.stringContaining('updates')]);
    hanging[2]!();
    expect((await first).status).not.toBe(429);
  });

  it('count requests with any credentials, even wrong ones', async () => {
    const send = newClient();
    const carol = { headers: { authorization: `Basic carol-${newAddress()}` } };
    for (const path of ['/nothing', '/TEST/person', `${person}?unfiltered&unfiltered=no`]) await send(path, carol);
    expect(JSON.parse((await send('/metadata/limits.json', carol)).text).limits.limit[1].used).toBe(4);
  });

  it('refuse further credentials after too many wrong ones, but not requests without', async () => {
    const send = newClient();
    const wrong = { headers: { authorization: 'Basic wrong' } };
    const statuses = [];
    for (let n = 0; n < 4; n++) statuses.push((await send(person, wrong)).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    expect((await send(person, { headers: { authorization: 'Basic carol' } })).status).toBe(429);
    expect((await send(person)).status).toBe(200);
    clock.advance(60_000);
    expect((await send(person, { headers: { authorization: 'Basic carol' } })).status).toBe(200);
  });
});

describe('a client that continues', () => {
  it('is blocked for a time, from everything', async () => {
    const send = newClient();
    await statusesOf(send, [person, person, person]);
    const refused = [];
    for (let n = 0; n < 4; n++) {
      refused.push((await send(person)).status, (await send(person)).status);
      clock.advance(1000);
    }
    expect(refused).toEqual([429, 429, 429, 429, 429, 403, 403, 403]);
    const blocked = await send('/metadata/templates/person.json');
    expect([blocked.status, blocked.headers['retry-after']]).toEqual([403, String(3600 - 2)]);
    expect(blocked.text).toContain('kept exceeding its limits');
    clock.advance(3600_000);
    expect((await send('/metadata/templates/person')).status).toBe(200);
  });
});

describe('a block of the operator', () => {
  const block = (prefix: string, until?: string) => {
    const details = { prefix, reason: 'secret reason', addedBy: 'olga', created: new Date(noon) };
    return { ...details, until: until === undefined ? undefined : new Date(until) };
  };
  const publish = (...all: ReturnType<typeof block>[]) => {
    blocks = all;
    publishing.resolve();
    publishing = Promise.withResolvers();
  };

  it('applies to every path, method and account, exempt or not, until it is removed', async () => {
    publish(block('198.51.100.32/27'), block('2001:db8:bad::/48'));
    const send = clientAt(gateway, '198.51.100.33');
    await expect.poll(async () => (await send('/metadata/sources')).status).toBe(403);
    const refused = await send('/TEST/mntner/EXAMPLE-MNT.txt', { headers: { authorization: 'Basic alice' } });
    expect([refused.status, refused.headers['retry-after']]).toEqual([403, undefined]);
    expect(refused.text).toContain('Your host 198.51.100.33 has been blocked.');
    expect(refused.text).not.toContain('secret reason');
    expect((await send('/TEST/person', { method: 'POST' })).status).toBe(403);
    expect((await clientAt(gateway, '2001:db8:bad:1::1')(person)).status).toBe(403);
    expect((await clientAt(gateway, '198.51.100.1')(person)).status).toBe(200);
    publish();
    await expect.poll(async () => (await send('/metadata/sources')).status).toBe(200);
  });

  it('ends by itself at its end', async () => {
    publish(block('192.0.2.77/32', '2026-11-21T13:00:00Z'));
    const send = clientAt(gateway, '192.0.2.77');
    await expect.poll(async () => (await send('/metadata/sources')).status).toBe(403);
    expect((await send('/metadata/sources')).headers['retry-after']).toBe('3600');
    clock.set('2026-11-21T13:00:00Z');
    expect((await send('/metadata/sources')).status).toBe(200);
  });
});

describe('the budget', () => {
  it('shows the caller its limits and their use, in every format', async () => {
    // On this clock no response takes time, which would count.
    const clockOfWork = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    onTestFinished(() => clockOfWork.mockRestore());
    const address = newAddress();
    const send = clientAt(gateway, address);
    await send(person);
    const json = JSON.parse((await send('/metadata/limits.json')).text);
    expect(json.limits).toEqual({
      client: address,
      limit: [
        { name: 'personal-objects', most: 3, used: 1, remaining: 2, seconds: 86400, resets: '2026-11-22T00:00:00Z' },
        { name: 'queries', most: 20, used: 2, remaining: 18, seconds: 1, resets: '2026-11-21T12:00:01Z' },
        { name: 'searches', most: 8, used: 0, remaining: 8, seconds: 1, resets: '2026-11-21T12:00:01Z' },
        { name: 'updates', most: 5, used: 0, remaining: 5, seconds: 1, resets: '2026-11-21T12:00:01Z' },
        { name: 'concurrent-requests', most: 3, used: 1, remaining: 2 },
        { name: 'concurrent-searches', most: 2, used: 0, remaining: 2 },
        { name: 'concurrent-updates', most: 1, used: 0, remaining: 1 },
        { name: 'concurrent-streams', most: 3, used: 0, remaining: 3 },
        {
          name: 'bulk-resources',
          most: 20_000,
          used: 0,
          remaining: 20_000,
          seconds: 60,
          resets: '2026-11-21T12:01:00Z',
        },
        { name: 'failed-credentials', most: 2, used: 0, remaining: 2, seconds: 60, resets: '2026-11-21T12:01:00Z' },
        { name: 'unknown-accounts', most: 2, used: 0, remaining: 2, seconds: 60, resets: '2026-11-21T12:01:00Z' },
        { name: 'bytes', most: 100_000, used: 0, remaining: 100_000, seconds: 60, resets: '2026-11-21T12:01:00Z' },
        {
          name: 'processing',
          most: maxProcessingMs,
          used: 0,
          remaining: maxProcessingMs,
          seconds: 60,
          resets: '2026-11-21T12:01:00Z',
        },
      ],
    });
    const xml = (await send('/metadata/limits')).text;
    expect(xml).toContain(`<limits client="${address}">`);
    expect(xml).toContain(
      '<limit name="personal-objects" most="3" used="1" remaining="2" seconds="86400" resets="2026-11-22T00:00:00Z"/>',
    );
    const text = (await send('/metadata/limits.txt')).text;
    expect(text).toMatch(new RegExp(`^client: +${address.replaceAll('.', '\\.')}$`, 'm'));
    expect(text).toMatch(/^personal-objects: +1 of 3 until 2026-11-22T00:00:00Z$/m);
  });

  it('is not cacheable, because it is for the caller only', async () => {
    expect((await newClient()('/metadata/limits')).headers['cache-control']).toContain('no-store');
  });

  it('is without limits for the exempt', async () => {
    const { text } = await clientAt(gateway, '198.51.100.9')('/metadata/limits.json');
    expect(JSON.parse(text).limits).toEqual({ client: '198.51.100.9', limit: [] });
  });
});

it('by default one client cannot use every slot for searches', async () => {
  let begun = 0;
  const end = Promise.withResolvers<void>();
  const search = async function* ({ query }: SearchRequest) {
    begun++;
    if (query === 'slow') await end.promise;
    yield page(objects.mntner);
  };
  const env = { ...limitedSettings, CADASTRE_GATEWAY_DEADLINES: deadlines };
  const usual = await startGateway({ ...limitedBackends, search: { search } }, env);
  try {
    const greedy = clientAt(usual, '10.0.0.1');
    const statuses: number[] = [];
    const sent = Array.from({ length: 200 }, async () => {
      statuses.push((await greedy('/search?query-string=slow')).status);
    });
    await expect.poll(() => statuses.length).toBe(190);
    expect([new Set(statuses), begun]).toEqual([new Set([429]), 10]);
    expect((await clientAt(usual, '10.0.0.2')('/search?query-string=x')).status).toBe(200);
    end.resolve();
    await Promise.all(sent);
    expect(statuses.slice(190)).toEqual(Array(10).fill(200));
  } finally {
    end.resolve();
    await usual.stop();
  }
});

it('all errors of the settings are reported together', async () => {
  const started = startGateway(limitedBackends, {
    CADASTRE_LIMITS:
      'queries=many block-after=601, 192.0.2.0/24 exempt, example.net exempt, 192.0.2.300 queries=1, 192.0.2.1 speed=9, account: queries=1, 192.0.2.1, 192.0.2.2 block-after=1',
  });
  const problems = await started.catch((error: SettingsError) => error);
  expect(problems).toBeInstanceOf(SettingsError);
  for (const part of [
    '"queries=many"',
    'block-after is at most 600',
    '"example.net"',
    '"192.0.2.300"',
    'speed=9',
    'account:',
    'expected after 192.0.2.1 is',
    '192.0.2.2 block-after=1',
  ]) {
    expect(String(problems)).toContain(part);
  }
});
