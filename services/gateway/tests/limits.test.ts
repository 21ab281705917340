import { randomInt } from 'node:crypto';
import type { ListBlocksResponse } from '@cadastre/proto/auth';
import type { SearchResponse } from '@cadastre/proto/search';
import { SettingsError } from '@cadastre/service';
import { fixedClock } from '@cadastre/service/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type RunningGateway, startGateway } from './gateway.fixture.js';
import { clientAt, limitedNeighbours, limitedSettings, objects } from './limits.fixture.js';

const noon = '2026-11-21T12:00:00Z';
const clock = fixedClock(noon);
let gateway: RunningGateway;
/** What the operator has blocked. */
let blocks: ListBlocksResponse = { version: 1n, unchanged: false, blocks: [] };
/** Pages that the search service answers. */
let pages: SearchResponse[];
/** Ends the searches that hang. */
const hanging: (() => void)[] = [];

beforeAll(async () => {
  const search = async function* (request: { query: string }) {
    if (request.query === 'slow') await new Promise<void>((resolve) => hanging.push(resolve));
    yield* pages;
  };
  const listBlocks = async ({ knownVersion }: { knownVersion: bigint }) =>
    knownVersion === blocks.version ? { version: knownVersion, unchanged: true, blocks: [] } : blocks;
  const env = {
    ...limitedSettings,
    CADASTRE_LIMITS_BLOCK_LIST_INTERVAL: '10ms',
    CADASTRE_LIMITS_PERSONAL_OBJECTS: '3',
    CADASTRE_LIMITS_QUERIES: '20',
    CADASTRE_LIMITS_UPDATES: '5',
    CADASTRE_LIMITS_CONCURRENT_REQUESTS: '2',
    CADASTRE_LIMITS_FAILED_CREDENTIALS: '2',
    CADASTRE_LIMITS_EXEMPT: '198.51.100.0/24,2001:db8:e::/48',
    CADASTRE_LIMITS_OVERRIDES:
      '203.0.113.0/24 personal-objects=1, 203.0.113.128/25 personal-objects=2, account:bob@example.net personal-objects=5',
    CADASTRE_LIMITS_BLOCK_AFTER: '3',
    CADASTRE_LIMITS_BLOCK_TIME: '1h',
  };
  gateway = await startGateway({ ...limitedNeighbours, search: { search }, blocks: { listBlocks } }, env, clock.now);
});
afterAll(() => gateway.stop());
beforeEach(() => clock.set(noon));

/** A client that nobody has seen yet. */
const newClient = () => clientAt(gateway, newAddress());
const newAddress = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`;

const person = '/TEST/person/PP1-TEST.txt';
const statusesOf = async (send: ReturnType<typeof clientAt>, paths: string[]) => {
  const statuses: number[] = [];
  for (const path of paths) statuses.push((await send(path)).status);
  return statuses;
};
const page = (...found: (typeof objects.person)[]): SearchResponse => ({
  objects: found.map((object) => ({ object, related: false, managedAttributes: [], messages: [] })),
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

  it('does not count what a HEAD does not show', async () => {
    const { headers } = await newClient()(person, { method: 'HEAD' });
    expect(headers.ratelimit).toContain('"personal-objects";r=3');
  });

  it('does not count what the caller maintains', async () => {
    const olga = { headers: { authorization: 'Basic olga' } };
    const lookup = await newClient()(person, olga);
    expect(lookup.headers.ratelimit).toContain('"personal-objects";r=3');
    pages = [page(objects.person, objects.person, objects.person, objects.person, objects.person)];
    const { text } = await newClient()('/search.txt?query-string=x', olga);
    expect(text.match(/^person:/gm)).toHaveLength(5);
  });

  it.each([
    ['JSON', '.json', '"text" : "ERROR:201: access denied for %s\\n'],
    ['XML', '.xml', 'text="ERROR:201: access denied for %s&#xA;'],
    ['text', '.txt', 'ERROR:201: access denied for 10.'],
  ])('is told as clients of this dialect know it, in %s', async (_, extension, text) => {
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

describe('who is charged', () => {
  const usedUp = async (send: ReturnType<typeof clientAt>) =>
    void (await statusesOf(send, [person, person, person, person]));

  it('is an IPv6 /64, whatever address in it', async () => {
    await usedUp(clientAt(gateway, '2001:db8:1:2::1'));
    expect((await clientAt(gateway, '2001:db8:1:2:ffff::2')(person)).status).toBe(429);
    expect((await clientAt(gateway, '2001:db8:1:3::1')(person)).status).toBe(200);
  });

  it('is the account when somebody has signed in, wherever the request comes from', async () => {
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
  ])('has other limits by the most specific prefix: %s', async (address, most) => {
    const statuses = await statusesOf(clientAt(gateway, address), Array<string>(10).fill(person));
    expect(statuses.filter((status) => status === 200)).toHaveLength(most === 9 ? 10 : most);
  });

  it('has other limits by its account', async () => {
    const bob = { headers: { authorization: 'Basic bob' } };
    const statuses = [];
    for (let n = 0; n < 6; n++) statuses.push((await newClient()(person, bob)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
  });
});

describe('the limits on requests', () => {
  it('hold for reads and writes apart, each second anew, whatever the path', async () => {
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

  it('refuse what comes beside too many that are under way', async () => {
    const send = newClient();
    pages = [page(objects.mntner)];
    const first = send('/search.txt?query-string=slow');
    await vi.waitUntil(() => hanging.length === 1);
    const second = send('/search.txt?query-string=slow');
    await vi.waitUntil(() => hanging.length === 2);
    expect((await send(person)).status).toBe(429);
    hanging[0]!();
    expect((await first).status).toBe(200);
    await vi.waitUntil(async () => (await send('/TEST/mntner/EXAMPLE-MNT')).status === 200);
    hanging[1]!();
    await second;
  });

  it('count requests with credentials too, whatever is wrong with them', async () => {
    const send = newClient();
    const carol = { headers: { authorization: `Basic carol-${newAddress()}` } };
    for (const path of ['/nothing', '/TEST/person', `${person}?unfiltered=maybe`]) await send(path, carol);
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

describe('a client that keeps on', () => {
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
    expect(blocked.text).toContain('again and again');
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
    blocks = { version: blocks.version + 1n, unchanged: false, blocks: all };
  };

  it('holds for every path and method and whoever signs in, exempt or not, until it is removed', async () => {
    publish(block('198.51.100.32/27'), block('2001:db8:bad::/48'));
    const send = clientAt(gateway, '198.51.100.33');
    await vi.waitUntil(async () => (await send('/metadata/sources')).status === 403);
    const refused = await send('/TEST/mntner/EXAMPLE-MNT.txt', { headers: { authorization: 'Basic alice' } });
    expect([refused.status, refused.headers['retry-after']]).toEqual([403, undefined]);
    expect(refused.text).toContain('Your host 198.51.100.33 has been blocked.');
    expect(refused.text).not.toContain('secret reason');
    expect((await send('/TEST/person', { method: 'POST' })).status).toBe(403);
    expect((await clientAt(gateway, '2001:db8:bad:1::1')(person)).status).toBe(403);
    expect((await clientAt(gateway, '198.51.100.1')(person)).status).toBe(200);
    publish();
    await vi.waitUntil(async () => (await send('/metadata/sources')).status === 200);
  });

  it('ends by itself at its end', async () => {
    publish(block('192.0.2.77/32', '2026-11-21T13:00:00Z'));
    const send = clientAt(gateway, '192.0.2.77');
    await vi.waitUntil(async () => (await send('/metadata/sources')).status === 403);
    expect((await send('/metadata/sources')).headers['retry-after']).toBe('3600');
    clock.set('2026-11-21T13:00:00Z');
    expect((await send('/metadata/sources')).status).toBe(200);
  });
});

describe('the budget', () => {
  it('tells the caller where it stands, in every format', async () => {
    const address = newAddress();
    const send = clientAt(gateway, address);
    await send(person);
    const json = JSON.parse((await send('/metadata/limits.json')).text);
    expect(json.limits).toEqual({
      client: address,
      limit: [
        { name: 'personal-objects', most: 3, used: 1, remaining: 2, seconds: 86400, resets: '2026-11-22T00:00:00Z' },
        { name: 'queries', most: 20, used: 2, remaining: 18, seconds: 1, resets: '2026-11-21T12:00:01Z' },
        { name: 'updates', most: 5, used: 0, remaining: 5, seconds: 1, resets: '2026-11-21T12:00:01Z' },
        { name: 'concurrent-requests', most: 2, used: 1, remaining: 1 },
        { name: 'failed-credentials', most: 2, used: 0, remaining: 2, seconds: 60, resets: '2026-11-21T12:01:00Z' },
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

  it('is kept by no cache: it is for the caller alone', async () => {
    expect((await newClient()('/metadata/limits')).headers['cache-control']).toContain('no-store');
  });

  it('is without limits for the exempt', async () => {
    const { text } = await clientAt(gateway, '198.51.100.9')('/metadata/limits.json');
    expect(JSON.parse(text).limits).toEqual({ client: '198.51.100.9', limit: [] });
  });
});

it('everything that is wrong with the settings is said at once', async () => {
  const started = startGateway(limitedNeighbours, {
    CADASTRE_LIMITS_EXEMPT: '192.0.2.0/24,example.net',
    CADASTRE_LIMITS_OVERRIDES: '192.0.2.300 queries=1,192.0.2.1 speed=9,account: queries=1,192.0.2.1',
  });
  const problems = await started.catch((error: SettingsError) => error);
  expect(problems).toBeInstanceOf(SettingsError);
  for (const part of ['"example.net"', '"192.0.2.300"', 'speed=9', 'account:', 'expected after 192.0.2.1 is']) {
    expect(String(problems)).toContain(part);
  }
});
