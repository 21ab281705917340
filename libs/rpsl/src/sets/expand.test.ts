import { describe, expect, test } from 'vitest';
import type { RpslObject } from '../object.js';
import { parsed } from '../parsed.fixture.js';
import { valuesOf } from '../value.js';
import { type AdmittingSet, type ExpansionBounds, expandSet, type SetReader } from './expand.js';
import { type SetContents, setTypeOf } from './members.js';
import { parsePrefixLengths } from './prefix-lengths.js';

const registry = [
  'as-set: AS-TOP\nmembers: AS64500, AS-LOOP, as-gone\nmembers: AS64501',
  'as-set: AS-LOOP\nmembers: as-top, AS64502, RS-NO',
  'as-set: AS-OPEN\nmbrs-by-ref: ANY',
  'as-set: AS-OURS\nmembers: AS64500\nmbrs-by-ref: Example-MNT, OTHER-MNT',
  'as-set: AS-DEEP\nmembers: AS-TOP',
  'as-set: AS-FROM\nmembers: here::AS-OURS, ELSEWHERE::AS-OURS, AS64503',
  'route-set: RS-PLAIN\nmembers: 192.0.2.0/24, 198.51.100.0/24^+\nmp-members: 2001:db8::/32^48',
  'route-set: RS-MORE\nmembers: RS-PLAIN^25-26, 203.0.113.0/24',
  'route-set: RS-ROUTES\nmembers: AS64500^-, AS-LOOP',
  'route-set: RS-LOOP\nmembers: RS-LOOP^+, RS-LOOP^-, 192.0.2.0/24',
  'rtr-set: RTRS-A\nmembers: R1.example.net, RTRS-B\nmp-members: 2001:db8::1',
  'rtr-set: RTRS-B\nmembers: 192.0.2.1, RTRS-A',
].map(parsed);
const joined: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'AS-OPEN': { any: ['AS64510', 'AS64511'] },
  'AS-OURS': { 'example-mnt': ['AS64512'] },
};
const routes: Readonly<Record<number, readonly string[]>> = {
  64500: ['192.0.2.0/24', '2001:db8::/32'],
  64501: ['192.0.2.0/24', '198.51.100.0/24'],
  64502: ['10.0.0.0/8'],
};

function setContents(set: RpslObject): SetContents {
  const values = [...valuesOf(set, 'members'), ...valuesOf(set, 'mp-members')];
  const members = [...new Map(values.map((value) => [value.toLowerCase(), value])).values()];
  const names = new Set(valuesOf(set, 'mbrs-by-ref').map((value) => value.toLowerCase()));
  return { members: members.filter((value) => value !== ''), admitted: names.has('any') ? 'any' : [...names] };
}

/** Reads the registry, and records the requests. */
function readerOf(requested: string[][] = []): SetReader {
  return {
    sets: async (names) => {
      requested.push(names.map(({ name }) => name));
      return names.map(({ type, name, source = 'HERE' }) => {
        const named = (one: RpslObject) => one.attributes[0]!.raw.trim().toLowerCase() === name.toLowerCase();
        const object = registry.find((one) => source === 'HERE' && one.type === type && named(one));
        return object && setContents(object);
      });
    },
    joined: async (sets, max) => sets.map((set) => membersBy(set).slice(0, max)),
    prefixes: async (numbers) => numbers.map((one) => (routes[one] ?? []).map((text) => parsePrefixLengths(text)!)),
  };
}

function membersBy({ name, maintainers }: AdmittingSet): readonly string[] {
  const keys = maintainers === 'any' ? ['any'] : maintainers;
  return keys.flatMap((key) => joined[name]?.[key] ?? []);
}

const bounds: ExpansionBounds = {
  depth: 30,
  sets: 100,
  members: 1000,
  maintainers: 100,
  prefixes: 1000,
  hasTime: async () => true,
};

function expanded(name: string, changed: Partial<ExpansionBounds> = {}, requested?: string[][]) {
  return expandSet(readerOf(requested), { type: setTypeOf(name)!, name }, { ...bounds, ...changed });
}

test('a set is read level by level, and a loop once', async () => {
  const requested: string[][] = [];
  const plain = { type: 'as-set', asNumbers: new Uint32Array(0), joined: [] };
  expect(await expanded('AS-DEEP', {}, requested)).toEqual({
    sets: [
      { ...plain, name: 'AS-DEEP', members: ['AS-TOP'] },
      { ...plain, name: 'AS-TOP', members: ['AS64500', 'AS-LOOP', 'as-gone', 'AS64501'] },
      { ...plain, name: 'AS-LOOP', members: ['as-top', 'AS64502', 'RS-NO'] },
    ],
    missing: ['as-gone'],
    asNumbers: [64500, 64501, 64502],
    prefixCounts: [2, 2, 1],
    ipv4Prefixes: ['10.0.0.0/8', '192.0.2.0/24', '198.51.100.0/24'],
    ipv6Prefixes: ['2001:db8::/32'],
    routers: [],
    isPartial: false,
  });
  expect(requested).toEqual([['AS-DEEP'], ['AS-TOP'], ['AS-LOOP', 'as-gone']]);
});

test('a member names the source of its set', async () => {
  const found = await expanded('AS-FROM');
  expect(found).toMatchObject({ asNumbers: [64500, 64503, 64512], missing: ['ELSEWHERE::AS-OURS'] });
  expect(found?.sets.map(({ source, name }) => [source, name])).toEqual([
    [undefined, 'AS-FROM'],
    ['HERE', 'AS-OURS'],
  ]);
});

test.each([
  ['AS-OPEN', [64510, 64511]],
  ['AS-OURS', [64500, 64512]],
])('%s has the members that it admits', async (name, asNumbers) => {
  expect((await expanded(name))?.asNumbers).toEqual(asNumbers);
});

test.each([
  ['RS-PLAIN', ['192.0.2.0/24', '198.51.100.0/24^+', '2001:db8::/32^48']],
  ['RS-MORE', ['192.0.2.0/24^25-26', '198.51.100.0/24^25-26', '203.0.113.0/24']],
  [
    'RS-ROUTES',
    ['10.0.0.0/8', '192.0.2.0/24', '192.0.2.0/24^-', '198.51.100.0/24', '2001:db8::/32', '2001:db8::/32^-'],
  ],
  ['RS-LOOP', ['192.0.2.0/24', '192.0.2.0/24^+', '192.0.2.0/24^-']],
])('the operators on the way apply to the prefixes of %s', async (name, prefixes) => {
  const found = await expanded(name);
  expect([...found!.ipv4Prefixes, ...found!.ipv6Prefixes]).toEqual(prefixes);
  expect(found?.isPartial).toBe(false);
});

test('routers are names and addresses', async () => {
  expect((await expanded('RTRS-A'))?.routers).toEqual(['192.0.2.1', '2001:db8::1', 'r1.example.net']);
});

test('a set that does not exist has no expansion', async () => {
  expect(await expanded('AS-GONE')).toBeUndefined();
});

describe('an expansion that reaches a bound is partial', () => {
  test.each<[string, Partial<ExpansionBounds>, object]>([
    ['depth', { depth: 0 }, { sets: [{ name: 'AS-TOP' }], asNumbers: [64500, 64501] }],
    ['sets', { sets: 1 }, { sets: [{ name: 'AS-TOP' }] }],
    ['members', { members: 2 }, { asNumbers: [64500] }],
    [
      'prefixes',
      { prefixes: 2 },
      { ipv4Prefixes: ['192.0.2.0/24'], ipv6Prefixes: ['2001:db8::/32'], prefixCounts: [2] },
    ],
  ])('%s', async (_what, changed, part) => {
    expect(await expanded('AS-TOP', changed)).toMatchObject({ ...part, isPartial: true });
    const useless = { sets: [], asNumbers: [], routers: [], isPartial: true };
    expect(await expanded('AS-TOP', { ...changed, wholeOnly: true })).toMatchObject(useless);
  });

  test('mntners in mbrs-by-ref', async () => {
    const part = { sets: [{ members: ['AS64500'], joined: [] }], isPartial: true };
    expect(await expanded('AS-OURS', { maintainers: 1 })).toMatchObject(part);
    expect(await expanded('AS-OURS', { maintainers: 2 })).toMatchObject({ isPartial: false });
  });

  test('time', async () => {
    let left = 2;
    expect(await expanded('AS-TOP', { hasTime: async () => left-- > 0 })).toMatchObject({
      sets: [{}],
      isPartial: true,
    });
  });

  test('but one without prefixes is not', async () => {
    expect(await expanded('AS-TOP', { prefixes: 0 })).toMatchObject({
      ipv4Prefixes: [],
      prefixCounts: [],
      isPartial: false,
    });
  });
});

describe('what a registry cannot make an expansion cost', () => {
  /** Reads sets with these members, and counts the requests. */
  const readerWith = (contents: (name: string) => string[] | undefined, asNumbers?: Uint32Array) => {
    const counts = { sets: 0, max: 0 };
    const reader: SetReader = {
      sets: async (names, max) => {
        counts.sets += names.length;
        counts.max = Math.max(counts.max, names.length);
        let left = max;
        return names.map(({ name }) => {
          const members = left > 0 ? contents(name) : undefined;
          left -= members?.length ?? 0;
          return members && { members, admitted: [], ...(asNumbers && { asNumbers }) };
        });
      },
      joined: async () => [],
      prefixes: async (numbers) => numbers.map(() => [parsePrefixLengths('10.0.0.0/8')!]),
    };
    return { reader, counts };
  };

  test('sets are read in parts, and none after the last member that there is room for', async () => {
    const names = Array.from({ length: 200 }, (_, n) => `AS-N${n}`);
    const { reader, counts } = readerWith((name) => (name === 'AS-TOP' ? names : ['AS1', 'AS2', 'AS3', 'AS4']));
    const found = await expandSet(reader, { type: 'as-set', name: 'AS-TOP' }, { ...bounds, sets: 1_000, members: 300 });
    expect(found).toMatchObject({ isPartial: true, missing: [] });
    expect(counts).toEqual({ sets: 51, max: 50 });
  });

  test('operators on the way cost as much as members', async () => {
    // RS-0 to RS-19 in a chain with an operator each, and at its end a set with 40 others.
    const { reader } = readerWith((name) => {
      const level = Number(name.slice(4));
      if (level < 20) return [`RS-N${level + 1}^${level}-32`];
      return Array.from({ length: 40 }, (_, n) => `192.0.2.0/32^${n}`);
    });
    const expand = (members: number) => expandSet(reader, { type: 'route-set', name: 'RS-N0' }, { ...bounds, members });
    expect((await expand(100))?.isPartial).toBe(true);
    expect((await expand(2_000))?.isPartial).toBe(false);
  });

  test('operators of an AS number that make nothing new end it', async () => {
    const members = Array.from({ length: 500 }, (_, n) => `AS64500^${8 + (n % 2)}-${10 + n}`);
    const { reader } = readerWith(() => members);
    const expand = (prefixes: number) =>
      expandSet(reader, { type: 'route-set', name: 'RS-X' }, { ...bounds, prefixes });
    expect((await expand(60))?.isPartial).toBe(true);
    expect((await expand(200))?.isPartial).toBe(false);
  });

  test('numbers of a reader are members', async () => {
    const { reader } = readerWith((name) => (name === 'AS-X' ? ['AS64501'] : undefined), Uint32Array.of(64500, 64502));
    const expand = (members: number) => expandSet(reader, { type: 'as-set', name: 'AS-X' }, { ...bounds, members });
    expect(await expand(3)).toMatchObject({ asNumbers: [64500, 64501, 64502], isPartial: false });
    expect(await expand(2)).toMatchObject({ asNumbers: [64500, 64502], isPartial: true });
  });
});
