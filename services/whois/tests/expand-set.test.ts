import { AddressFamily, type ExpandSetRequest, type ExpandSetResponse, SetServiceService } from '@cadastre/proto/whois';
import {
  type AnswerMemory,
  type Call,
  connect,
  createAnswerMemory,
  createExpansionSlots,
  createLoopTurns,
} from '@cadastre/service';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setHandlers } from '../src/rpc/index.js';
import type { SetIndex } from '../src/sets/set-index.js';
import { createSourceIndex } from '../src/sets/source-index.js';
import { createRegistry, type Registry } from './registry.fixture.js';
import { beginWhois, type RunningWhois, startWhois } from './whois.fixture.js';

const texts = `
as-set: AS-EX
members: AS64500, AS-SUB, AS64502
mnt-by: A-MNT
source: TEST

as-set: AS-SUB
members: AS64501, AS-EX, OTHER::AS-MIRRORED
mnt-by: A-MNT
source: TEST

route-set: RS-EX
members: 198.51.100.0/25^26-27, 198.51.100.128/25, 2001:db8:8000::/33, AS64500, 10.0.0.0/8
mp-members: 2001:db8::/33
mnt-by: A-MNT
source: TEST

${routes('AS64500', '192.0.2.0/25', '192.0.2.128/25', '192.0.2.128/26', '203.0.113.0/24')}

${routes('AS64501', '192.0.2.0/25', '2001:db8::/48', '2001:db8:1::/48', '2001:db8:3::/48')}

route: 203.0.113.0/25
origin: AS64500
mnt-by: A-MNT
source: TEST-NONAUTH
`;

const mirrored = `
as-set: AS-MIRRORED
members: AS64501
mnt-by: A-MNT
source: OTHER

${`${routes('AS64501', '100.64.0.0/10')}\n\n${routes('AS64500', '203.0.113.0/24')}`.replaceAll('TEST', 'OTHER')}
`;

function routes(origin: string, ...prefixes: readonly string[]): string {
  return prefixes
    .map((one) => `route${one.includes(':') ? '6' : ''}: ${one}\norigin: ${origin}\nmnt-by: A-MNT\nsource: TEST`)
    .join('\n\n');
}

let registry: Registry;
let whois: RunningWhois;

beforeAll(async () => {
  registry = createRegistry(['TEST', 'OTHER']);
  registry.put(texts);
  registry.put(mirrored, 'OTHER');
  whois = await startWhois(registry, {
    CADASTRE_GRS_SOURCES: 'OTHER',
    CADASTRE_SOURCE_ALIASES: 'BOTH=TEST-NONAUTH,OTHER',
  });
});
afterAll(() => whois.stop());

const usual: ExpandSetRequest = {
  sources: [],
  routeSources: [],
  name: 'AS-EX',
  family: AddressFamily.ADDRESS_FAMILY_UNSPECIFIED,
  aggregate: false,
  byOrigin: false,
  client: '',
  excludedSets: [],
};

/** The messages of an expansion. */
async function pagesOf(request: Partial<ExpandSetRequest>, { address } = whois): Promise<ExpandSetResponse[]> {
  const client = connect(SetServiceService, { address, deadlineMs: 60_000 });
  try {
    const pages: ExpandSetResponse[] = [];
    for await (const page of client.expandSet({ ...usual, ...request })) pages.push(page);
    return pages;
  } finally {
    client.close();
  }
}

/** The lines of an expansion, with the origin in front if there is one. */
async function expanded(request: Partial<ExpandSetRequest>, requested = whois): Promise<string[]> {
  const groups = (await pagesOf(request, requested)).flatMap((page) => page.groups);
  return groups.flatMap(({ origin, prefixes }) =>
    prefixes.split('\n').map((one) => (origin === undefined ? one : `AS${origin} ${one}`.trim())),
  );
}

const ipv4 = { family: AddressFamily.ADDRESS_FAMILY_IPV4 };
const ipv6 = { family: AddressFamily.ADDRESS_FAMILY_IPV6 };

test.each<[string, Partial<ExpandSetRequest>, string[]]>([
  [
    'an as-set',
    {},
    [
      '192.0.2.0/25',
      '192.0.2.128/25',
      '192.0.2.128/26',
      '203.0.113.0/24',
      '2001:db8::/48',
      '2001:db8:1::/48',
      '2001:db8:3::/48',
    ],
  ],
  ['its IPv6 prefixes', ipv6, ['2001:db8::/48', '2001:db8:1::/48', '2001:db8:3::/48']],
  ['a set in other letters', { name: ' as-Sub ', ...ipv6, aggregate: true }, ['2001:db8::/47', '2001:db8:3::/48']],
  ['joined prefixes', { ...ipv4, aggregate: true }, ['192.0.2.0/24', '203.0.113.0/24']],
  [
    'prefixes by origin',
    { byOrigin: true, aggregate: true },
    ['AS64500 192.0.2.0/24', 'AS64500 203.0.113.0/24', 'AS64501 192.0.2.0/25', 'AS64501 2001:db8::/47'].concat([
      'AS64501 2001:db8:3::/48',
      'AS64502',
    ]),
  ],
  ['other sources too', { ...ipv4, sources: ['test-nonauth', 'OTHER'], name: 'AS-MIRRORED' }, ['100.64.0.0/10']],
  ['those of an alias', { ...ipv4, sources: ['both'], name: 'AS-MIRRORED' }, ['100.64.0.0/10']],
  ['routes of other sources than sets', { ...ipv4, routeSources: ['test-nonauth'] }, ['203.0.113.0/25']],
  ['those of an alias', { ...ipv4, routeSources: ['both'] }, ['100.64.0.0/10', '203.0.113.0/24', '203.0.113.0/25']],
  [
    'sets of one source, routes of another',
    { ...ipv4, sources: ['OTHER'], routeSources: ['TEST'], name: 'AS-MIRRORED' },
    ['192.0.2.0/25'],
  ],
  [
    'a set of a source with routes of another',
    { ...ipv4, routeSources: ['OTHER'], name: 'OTHER::AS-MIRRORED' },
    ['100.64.0.0/10'],
  ],
  [
    'a route-set with routes of another source',
    { ...ipv4, name: 'RS-EX', routeSources: ['OTHER'] },
    ['10.0.0.0/8', '198.51.100.0/25^26-27', '198.51.100.128/25', '203.0.113.0/24'],
  ],
  [
    'routes of other sources by origin',
    { ...ipv4, byOrigin: true, sources: ['TEST', 'OTHER'], routeSources: ['OTHER'] },
    ['AS64500 203.0.113.0/24', 'AS64501 100.64.0.0/10', 'AS64502'],
  ],
  ['a set of a source', { ...ipv4, name: 'OTHER::AS-MIRRORED' }, ['192.0.2.0/25']],
  [
    'routes of other regions',
    { ...ipv4, sources: ['TEST', 'TEST-NONAUTH'], byOrigin: true, name: 'AS-EX' },
    [
      'AS64500 192.0.2.0/25',
      'AS64500 192.0.2.128/25',
      'AS64500 192.0.2.128/26',
      'AS64500 203.0.113.0/24',
      'AS64500 203.0.113.0/25',
      'AS64501 192.0.2.0/25',
      'AS64502',
    ],
  ],
  [
    'a route-set with operators',
    { ...ipv4, name: 'RS-EX' },
    [
      '10.0.0.0/8',
      '192.0.2.0/25',
      '192.0.2.128/25',
      '192.0.2.128/26',
      '198.51.100.0/25^26-27',
      '198.51.100.128/25',
      '203.0.113.0/24',
    ],
  ],
  [
    'and joined without them',
    { name: 'RS-EX', aggregate: true },
    ['10.0.0.0/8', '192.0.2.0/24', '198.51.100.0/24', '203.0.113.0/24', '2001:db8::/32'],
  ],
])('%s', async (_name, request, lines) => {
  expect(await expanded(request)).toEqual(lines);
});

test.each<[string, Partial<ExpandSetRequest>, string]>([
  ['an unknown set', { name: 'AS-NONE' }, 'not-found'],
  ['an unknown route-set', { name: 'RS-NONE' }, 'not-found'],
  ['no name of a set', { name: 'AS64500' }, 'invalid'],
  ['a set of routers', { name: 'RTRS-EX' }, 'invalid'],
  ['an unknown source', { sources: ['NONE'] }, 'invalid'],
  ['an unknown source of routes', { routeSources: ['OTHER', 'NONE'] }, 'invalid'],
  ['a set that only a source of routes has', { name: 'AS-MIRRORED', routeSources: ['OTHER'] }, 'not-found'],
  ['a route-set by origin', { name: 'RS-EX', byOrigin: true }, 'invalid'],
])('refuses %s', async (_name, request, kind) => {
  await expect(expanded(request)).rejects.toMatchObject({ kind });
});

test('by origin, each prefix has the sources that have it, unless prefixes are joined', async () => {
  const request = { ...ipv4, sources: ['TEST', 'OTHER', 'TEST-NONAUTH'], byOrigin: true, name: 'AS-EX' };
  const groupsOf = async (more: Partial<ExpandSetRequest>) =>
    (await pagesOf({ ...request, ...more })).flatMap(({ groups }) => groups);
  expect(await groupsOf({})).toEqual([
    { origin: 64500, prefixes: '192.0.2.0/25\n192.0.2.128/25\n192.0.2.128/26', sources: 'TEST' },
    { origin: 64500, prefixes: '203.0.113.0/24', sources: 'TEST,OTHER' },
    { origin: 64500, prefixes: '203.0.113.0/25', sources: 'TEST-NONAUTH' },
    { origin: 64501, prefixes: '100.64.0.0/10', sources: 'OTHER' },
    { origin: 64501, prefixes: '192.0.2.0/25', sources: 'TEST' },
    { origin: 64502, prefixes: '' },
  ]);
  const common = { origin: 64500, prefixes: '203.0.113.0/24', sources: 'OTHER,TEST' };
  expect(await groupsOf({ routeSources: ['OTHER', 'TEST-GRS'] })).toContainEqual(common);
  for (const { sources } of await groupsOf({ aggregate: true })) expect(sources).toBeUndefined();
});

test('sets may be excluded', async () => {
  expect(await expanded({ ...ipv4, byOrigin: true, excludedSets: ['as-SUB'] })).not.toContain('AS64501 192.0.2.0/25');
});

test('there is no answer before the index is complete', async () => {
  const late = createRegistry();
  const release = late.holdExports();
  const starting = await beginWhois(late);
  try {
    await expect(expanded({}, starting)).rejects.toMatchObject({ kind: 'unavailable' });
  } finally {
    release();
    await starting.stop();
  }
});

/** A random number below another; the same ones in each run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

test('of random sets it has what IRRd-style commands have, and joined prefixes have the same addresses', async () => {
  const random = randomNumbers(20);
  const someOf = (max: number, one: () => string) => Array.from({ length: random(max) }, one).join(', ');
  const sets = Array.from({ length: 40 }, (_, n) => {
    const members = someOf(6, () => (random(3) > 0 ? `AS${1 + random(30)}` : `AS-S${random(45)}`));
    return `as-set: AS-S${n}\nmembers: ${members}\nmnt-by: A-MNT\nsource: TEST`;
  });
  const prefixes = Array.from({ length: 200 }, () => {
    const length = 24 + random(9);
    const last = (random(256) >>> (32 - length)) << (32 - length);
    return random(4) > 0 ? `192.0.2.${last}/${length}` : `2001:db8:${random(16).toString(16)}000::/36`;
  });
  const own = createRegistry();
  own.put([...sets, ...prefixes.map((prefix) => routes(`AS${1 + random(30)}`, prefix))].join('\n\n'));
  const running = await startWhois(own);
  try {
    for (let n = 0; n < 40; n++) {
      const name = `AS-S${n}`;
      const [all4, all6] = await running.answers([`!a4${name}`, `!a6${name}`]);
      const listed = (answer: string) => answer.split('\n').slice(1, -2).join(' ').split(' ');
      const plain = await expanded({ name, ...ipv4 }, running);
      expect(plain.join(' ')).toBe(listed(all4!).join(' '));
      expect((await expanded({ name, ...ipv6 }, running)).join(' ')).toBe(listed(all6!).join(' '));
      const joined = await expanded({ name, ...ipv4, aggregate: true }, running);
      expect(lastOctets(joined)).toEqual([...new Set(lastOctets(plain))].sort((a, b) => a - b));
      expect(joined.length).toBe(fewest(new Set(lastOctets(plain)), 0, 256));
    }
  } finally {
    await running.stop();
  }
});

/** The addresses of prefixes in 192.0.2.0/24. */
function lastOctets(prefixes: readonly string[]): number[] {
  return prefixes.flatMap((prefix) => {
    const [, first = '', length = ''] = /(\d+)\/(\d+)$/.exec(prefix) ?? [];
    return first === '' ? [] : Array.from({ length: 2 ** (32 - Number(length)) }, (_, n) => Number(first) + n);
  });
}

/** The minimum number of prefixes that have exactly the wanted ones of these addresses. */
function fewest(wanted: ReadonlySet<number>, first: number, size: number): number {
  const found = Array.from({ length: size }, (_, n) => first + n).filter((one) => wanted.has(one)).length;
  if (found === 0 || found === size) return Math.sign(found);
  return fewest(wanted, first, size / 2) + fewest(wanted, first + size / 2, size / 2);
}

test('a large set comes in messages of bounded size', async () => {
  const own = createRegistry();
  const many = Array.from({ length: 8_000 }, (_, n) => `10.${n >> 8}.${n & 255}.0/24`);
  own.put(`as-set: AS-BIG\nmembers: AS1, AS2\nmnt-by: A-MNT\nsource: TEST\n\n${routes('AS1', ...many)}`);
  const running = await startWhois(own);
  try {
    for (const byOrigin of [false, true]) {
      const pages = await pagesOf({ name: 'AS-BIG', byOrigin }, running);
      expect(pages[0]).toEqual({ serial: 8_001n, groups: [] });
      const sizes = pages.map(({ groups }) => groups.reduce((sum, { prefixes }) => sum + prefixes.length, 0));
      expect(sizes.length).toBeGreaterThan(2);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(64 * 1024);
      const lists = pages.flatMap(({ groups }) => groups.map(({ prefixes }) => prefixes)).filter((one) => one !== '');
      expect(lists.join('\n').split('\n')).toEqual(many);
    }
    expect(await expanded({ name: 'AS-BIG', aggregate: true }, running)).toEqual([
      '10.0.0.0/12',
      '10.16.0.0/13',
      '10.24.0.0/14',
      '10.28.0.0/15',
      '10.30.0.0/16',
      '10.31.0.0/18',
    ]);
  } finally {
    await running.stop();
  }
});

test.each([
  ['a large answer', 'AS-EX', false],
  ['a route-set', 'RS-EX', false],
  ['prefixes by origin, one list after the other', 'AS-EX', true],
])('memory is taken until the end: %s', async (_what, name, byOrigin) => {
  const used = new Set<object>();
  const take = (_client: string, bytes: number) => {
    const one = { bytes };
    used.add(one);
    return { release: () => void used.delete(one), readUntil: () => () => {} };
  };
  const answer = answerWith({ take }, { name, byOrigin });
  await answer.next();
  expect([...used].some((one) => 'bytes' in one && Number(one.bytes) > 0)).toBe(true);
  await answer.return(undefined);
  expect(used.size).toBe(0);
});

test('an answer that is read too slowly ends while others need the memory', async () => {
  let time = 0;
  const memory = createAnswerMemory({ maxBytes: 100_000, maxBytesPerClient: 1_000_000, now: () => time });
  const slow = answerWith(memory, { name: 'RS-EX', aggregate: true });
  await slow.next();
  expect(() => memory.take('', 100_000)).toThrow('Too many large answers');
  time = 10_000;
  memory.take('', 100_000);
  await expect(slow.next()).rejects.toThrow('read too slowly');
});

/** The answer of the handler with these texts. */
function answerWith(memory: AnswerMemory, request: Partial<ExpandSetRequest>) {
  const source = createSourceIndex(() => false);
  for (const text of texts.trim().split(/\n\s*\n/)) {
    const [, type = '', value = ''] = /^(\S+): (.+)$/m.exec(text)!;
    const origin = /^origin: (.+)$/m.exec(text)?.[1] ?? '';
    source.put({ type, key: `${value}${origin}`, text });
  }
  const resolve = (names: readonly string[]) => names;
  const index = { names: ['TEST'], resolve, source: () => source, status: () => undefined } as unknown as SetIndex;
  const parts = {
    ...{ index, memory, slots: createExpansionSlots(), turns: createLoopTurns(), maxMembers: 1_000 },
    findConflict: () => undefined,
  };
  const { expandSet } = setHandlers(parts);
  const call = { signal: new AbortController().signal, caller: 'gateway' } as Call;
  return expandSet({ ...usual, ...request }, call)[Symbol.asyncIterator]() as AsyncGenerator<ExpandSetResponse>;
}
