import {
  type DescribedSet,
  type DescribeSetRequest,
  type DescribeSetResponse,
  SetServiceService,
} from '@cadastre/proto/whois';
import { type AnswerMemory, type Call, connect, createExpansionSlots, createLoopTurns } from '@cadastre/service';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setHandlers } from '../src/rpc/index.js';
import type { IndexBounds } from '../src/sets/index-budget.js';
import type { SetIndex } from '../src/sets/set-index.js';
import { createSourceIndex } from '../src/sets/source-index.js';
import { createRegistry, type Registry } from './registry.fixture.js';
import { type RunningWhois, startWhois } from './whois.fixture.js';

const end = 'mnt-by: EXAMPLE-MNT\nsource: TEST';
const asSet = (name: string, members: readonly string[]) => `as-set: ${name}\nmembers: ${members.join(', ')}\n${end}`;
const autNum = (number: number, more = '') => `aut-num: AS${number}\nas-name: A\n${more}${end}`;
const route = (prefix: string, origin: number, more = '') => `route: ${prefix}\norigin: AS${origin}\n${more}${end}`;
const numbers = (count: number) => Array.from({ length: count }, (_, n) => `AS${65_536 + n}`);

const texts = [
  asSet('AS-TOP', ['as-inner', 'AS-GONE', 'AS64500', 'OTHER::AS-MIRRORED', 'OTHER::AS-NONE']),
  `as-set: AS-INNER\nmembers: AS-TOP\nmbrs-by-ref: OTHER-MNT, EXAMPLE-MNT\n${end}`,
  `as-set: AS-CLOSED\nmbrs-by-ref: OTHER-MNT\n${end}`,
  `route-set: RS-OPEN\nmembers: AS64501^+\nmbrs-by-ref: ANY\n${end}`,
  `rtr-set: RTRS-A\nmembers: R1.example.net, RTRS-B, AS1\nmp-members: 2001:DB8::1\n${end}`,
  `rtr-set: RTRS-B\nmembers: 192.0.2.1, RTRS-A\nmbrs-by-ref: ANY\n${end}`,
  `inet-rtr: R2.example.net\nmember-of: RTRS-B, AS-INNER\n${end}`,
  autNum(64501, 'member-of: AS-INNER, AS-CLOSED, RTRS-B\n'),
  autNum(64502),
  route('192.0.2.0/24', 64500),
  route('198.51.100.0/24', 64501),
  route('198.51.100.0/25', 64502, 'member-of: RS-OPEN\n'),
  `route6: 2001:db8::/32\norigin: as64501\n${end}`,
  'route: 203.0.113.0/24\norigin: AS64500\nmnt-by: EXAMPLE-MNT\nsource: TEST-NONAUTH',
];

const ready = async (env: Record<string, string> = {}, indexBounds?: IndexBounds, more: readonly string[] = []) => {
  const registry: Registry = createRegistry(['TEST', 'OTHER']);
  registry.put([...texts, ...more].join('\n\n'));
  registry.put('as-set: AS-MIRRORED\nmembers: AS64502\nmnt-by: A-MNT\nsource: OTHER', 'OTHER');
  return startWhois(
    registry,
    { CADASTRE_GRS_SOURCES: 'OTHER', CADASTRE_SOURCE_ALIASES: 'BOTH=TEST,OTHER', ...env },
    { indexBounds },
  );
};

let whois: RunningWhois;
beforeAll(async () => {
  whois = await ready();
});
afterAll(() => whois.stop());

/** The parts of a description. */
async function partsOf(request: Partial<DescribeSetRequest>, { address } = whois): Promise<DescribeSetResponse[]> {
  const client = connect(SetServiceService, { address, deadlineMs: 60_000 });
  try {
    const parts: DescribeSetResponse[] = [];
    const usual = { sources: [], routeSources: [], name: 'AS-TOP', depth: undefined, withPrefixes: true, client: '' };
    for await (const part of client.describeSet({ ...usual, ...request })) parts.push(part);
    return parts;
  } finally {
    client.close();
  }
}

/** A whole description, joined as readers do. */
async function described(request: Partial<DescribeSetRequest>, requested = whois): Promise<DescribeSetResponse> {
  const parts = await partsOf(request, requested);
  const encode = SetServiceService.describeSet.responseSerialize;
  const whole = SetServiceService.describeSet.responseDeserialize(Buffer.concat(parts.map(encode)));
  const sets: DescribedSet[] = [];
  for (const { type, name, members, joined } of whole.sets) {
    const last = sets.at(-1);
    if (last?.type !== type || last.name !== name) sets.push({ type, name, members: [], joined: [] });
    sets.at(-1)!.members.push(...members);
    sets.at(-1)!.joined.push(...joined);
  }
  return { ...whole, sets };
}

test('an as-set has its members, those that joined it, and the prefixes of their routes', async () => {
  expect(await described({ name: 'as-top' })).toEqual({
    sets: [
      {
        ...{ type: 'as-set', name: 'as-top', joined: [] },
        members: ['AS64500', 'AS-INNER', 'AS-GONE', 'OTHER::AS-MIRRORED', 'OTHER::AS-NONE'],
      },
      { type: 'as-set', name: 'AS-INNER', members: ['AS-TOP'], joined: ['AS64501'] },
      { type: 'as-set', name: 'OTHER::AS-MIRRORED', members: ['AS64502'], joined: [] },
    ],
    missing: ['AS-GONE', 'OTHER::AS-NONE'],
    asNumbers: [64500, 64501, 64502],
    prefixCounts: [1, 2, 1],
    ipv4Prefixes: ['192.0.2.0/24', '198.51.100.0/24', '198.51.100.0/25'],
    ipv6Prefixes: ['2001:db8::/32'],
    routers: [],
    isPartial: false,
    serial: 14n,
  });
});

test.each<[string, Partial<DescribeSetRequest>, object]>([
  ['AS-CLOSED', {}, { asNumbers: [], isPartial: false }],
  ['AS-TOP', { withPrefixes: false }, { ipv4Prefixes: [], prefixCounts: [], isPartial: false }],
  ['AS-TOP', { depth: 0 }, { sets: [{}], asNumbers: [64500], isPartial: true }],
  ['RS-OPEN', {}, { ipv4Prefixes: ['198.51.100.0/24^+', '198.51.100.0/25'] }],
  [' OTHER::as-mirrored ', {}, { sets: [{ name: 'OTHER::as-mirrored' }], asNumbers: [64502] }],
  ['AS-MIRRORED', { sources: ['other'] }, { prefixCounts: [0], ipv4Prefixes: [] }],
  ['AS-TOP', { sources: ['TEST', 'TEST-NONAUTH'] }, { prefixCounts: [2, 2, 1] }],
  ['AS-MIRRORED', { sources: ['TEST', 'other'] }, { sets: [{ name: 'AS-MIRRORED' }], prefixCounts: [1] }],
  ['AS-MIRRORED', { sources: ['both'] }, { sets: [{ name: 'AS-MIRRORED' }], prefixCounts: [1] }],
  ['AS-TOP', { routeSources: ['test-nonauth'] }, { prefixCounts: [1, 0, 0], ipv4Prefixes: ['203.0.113.0/24'] }],
  ['AS-MIRRORED', { sources: ['OTHER'], routeSources: ['both'] }, { prefixCounts: [1] }],
  ['AS-CLOSED', { sources: ['TEST-GRS'] }, { sets: [{ name: 'AS-CLOSED' }] }],
  [
    'RTRS-A',
    {},
    {
      sets: [
        { type: 'rtr-set', name: 'RTRS-A', members: ['r1.example.net', 'RTRS-B', 'as1', '2001:db8::1'], joined: [] },
        { type: 'rtr-set', name: 'RTRS-B', members: ['192.0.2.1', 'RTRS-A'], joined: ['r2.example.net'] },
      ],
      asNumbers: [],
      routers: ['192.0.2.1', '2001:db8::1', 'as1', 'r1.example.net', 'r2.example.net'],
    },
  ],
])('%s with %j has %j', async (name, request, part) => {
  expect(await described({ ...request, name })).toMatchObject(part);
});

test.each<[string, Partial<DescribeSetRequest>, string, string]>([
  ['AS-GONE', {}, 'not-found', 'No entries found in source TEST'],
  ['AS-TOP', { sources: ['NONE'] }, 'invalid', 'Invalid source'],
  ['AS-TOP', { routeSources: ['NONE'] }, 'invalid', 'Invalid source'],
  ['EXAMPLE-MNT', {}, 'invalid', 'is not the name of an as-set'],
  ['AS-TOP', { sources: ['OTHER'] }, 'not-found', 'No entries found'],
])('%s with %j is refused', async (name, request, kind, text) => {
  const refusal = { kind, message: expect.stringContaining(text) };
  await expect(described({ ...request, name })).rejects.toMatchObject(refusal);
});

test.each(['AS-TOP', 'AS-INNER', 'AS-CLOSED'])('%s has what port 43 and prefix lists have', async (name) => {
  const { sets, asNumbers, ipv4Prefixes, ipv6Prefixes } = await described({ name });
  const [direct, all, prefixes] = await whois.answers([`!i${name}`, `!i${name},1`, `!a${name}`]);
  const words = (answer = '') => answer.split('\n').slice(1, -2).join(' ').split(' ').filter(Boolean).sort();
  const [{ members, joined }] = sets as [DescribeSetResponse['sets'][0]];
  expect([...members, ...joined].sort()).toEqual(words(direct));
  expect(asNumbers.map((number) => `AS${number}`).sort()).toEqual(words(all));
  expect([...ipv4Prefixes, ...ipv6Prefixes].sort()).toEqual(words(prefixes));
});

test('port 43 has the routers of rtr-sets', async () => {
  expect(await whois.answers(['!iRTRS-B', '!iRTRS-B,1'])).toEqual([
    'A32\n192.0.2.1 RTRS-A r2.example.net\nC\n',
    'A56\n192.0.2.1 2001:db8::1 as1 r1.example.net r2.example.net\nC\n',
  ]);
});

describe('bounds', () => {
  const more = [asSet('AS-BIG', numbers(5_000)), asSet('AS-ABOVE', ['AS64500', 'AS-BIG'])];

  test('a large set comes in several parts, one with many members is partial', async () => {
    const running = await ready({ CADASTRE_WHOIS_EXPANSION_MEMBERS: '5001' }, undefined, more);
    try {
      const parts = await partsOf({ name: 'AS-BIG' }, running);
      expect(parts.length).toBeGreaterThan(4);
      for (const { sets } of parts) for (const { members } of sets) expect(members.length).toBeLessThanOrEqual(2_000);
      expect(await described({ name: 'AS-BIG' }, running)).toMatchObject({
        sets: [{ members: numbers(5_000) }],
        asNumbers: { length: 5_000 },
        prefixCounts: { length: 5_000 },
        isPartial: false,
      });
      const partial = await described({ name: 'AS-ABOVE' }, running);
      expect(partial).toMatchObject({ sets: [{}, { members: { length: 4_999 } }], isPartial: true });
    } finally {
      await running.stop();
    }
  });

  test('a set that is not in the index is named, and nothing is shown', async () => {
    const bounds = { setMembers: 100, maintainerMembers: 1_000_000, bytes: 100_000_000 };
    const running = await ready({}, bounds, more);
    try {
      for (const name of ['AS-BIG', 'AS-ABOVE']) {
        await expect(described({ name }, running)).rejects.toMatchObject({
          kind: 'out-of-range',
          message: expect.stringContaining('Set AS-BIG has more than 100 members'),
        });
      }
      expect(await described({ name: 'AS-ABOVE', depth: 0 }, running)).toMatchObject({ isPartial: true });
    } finally {
      await running.stop();
    }
  });
});

describe('the handler', () => {
  /** A description over one source with an invalid route. */
  const begin = (memory: AnswerMemory) => {
    const source = createSourceIndex((origin) => origin === 64501);
    source.put({ type: 'as-set', key: 'AS-TWO', text: asSet('AS-TWO', ['AS64500', 'AS64501']) });
    source.put({ type: 'route', key: '192.0.2.0/24AS64500', text: route('192.0.2.0/24', 64500) });
    source.put({ type: 'route', key: '198.51.100.0/24AS64501', text: route('198.51.100.0/24', 64501) });
    const resolve = (names: readonly string[]) => names;
    const index = { names: ['TEST'], resolve, source: () => source, status: () => undefined } as unknown as SetIndex;
    const parts = {
      ...{ index, memory, slots: createExpansionSlots(), turns: createLoopTurns(), maxMembers: 1_000 },
      findConflict: () => undefined,
    };
    const call = { signal: new AbortController().signal, caller: 'gateway' } as Call;
    const request = { sources: [], routeSources: [], name: 'AS-TWO', depth: undefined, withPrefixes: true, client: '' };
    return setHandlers(parts).describeSet(request, call)[Symbol.asyncIterator]() as AsyncGenerator<DescribeSetResponse>;
  };

  test('takes memory for the caller until the end, and shows no route that ROAs make invalid', async () => {
    const used = new Map<object, string>();
    const take = (client: string) => {
      const one = {};
      used.set(one, client);
      return { release: () => void used.delete(one), readUntil: () => () => {} };
    };
    const answer = begin({ take });
    const parts: DescribeSetResponse[] = [];
    for await (const part of answer) {
      parts.push(part);
      expect([...used.values()]).toContain('gateway');
    }
    expect(used.size).toBe(0);
    expect(parts.flatMap(({ ipv4Prefixes }) => ipv4Prefixes)).toEqual(['192.0.2.0/24']);
    expect(parts.flatMap(({ prefixCounts }) => prefixCounts)).toEqual([1, 0]);
  });

  test('forgets an answer that is read too slowly', async () => {
    let close = () => {};
    const take = () => ({
      release: () => {},
      readUntil: (giveUp: () => void) => {
        close = giveUp;
        return () => {};
      },
    });
    const answer = begin({ take });
    await answer.next();
    close();
    await expect(answer.next()).rejects.toThrow('read too slowly');
  });
});
