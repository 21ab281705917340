import type { ObjectTypeName } from '@cadastre/rpsl';
import { beforeAll, expect, inject, test } from 'vitest';
import type { IndexDocument, NamePosition, NameQuery, SearchIndex } from '../../src/index-port.js';
import { collect } from '../searching.js';
import { document, fill } from './documents.js';

const source = 'NAMES';

const types = ['person', 'role', 'organisation', 'inetnum', 'mntner'] as const;

/**
 * So few letters that many names share a prefix, including those with a meaning in patterns of PostgreSQL and
 * OpenSearch.
 */
const letters = ['a', 'b', 'c', ' ', '-', '%', '_', '\\', '.', '×'];

function randomness(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * below);
  };
}

const random = randomness(20_261_123);

function randomText(letters: readonly string[], length: number): string {
  return Array.from({ length }, () => letters[random(letters.length)]).join('');
}

function randomDocument(number: number): IndexDocument {
  const type = types[random(types.length)]!;
  const key = `${randomText(['a', 'b', '-'], 3)}${number}-test`;
  const name = random(10) === 0 ? 'ab common' : `ab${randomText(letters, random(6))}`;
  const isPersonal = type === 'person' || (type === 'role' && random(2) === 0);
  return document({ source, type, key, ...(type === 'mntner' ? {} : isPersonal ? { personName: name } : { name }) });
}

const stored = [
  ...Array.from({ length: 600 }, (_, number) => randomDocument(number)),
  document({ source, type: 'person', key: 'large-test', personName: 'large', text: largeText() }),
];

function largeText(): string {
  return `person: large\nremarks: ${'x'.repeat(5_000)}\n`;
}

/** What the index must find, without an index. */
function model({ field, pattern, types, after }: Omit<NameQuery, 'limit'>): string[] {
  const source = pattern.text
    .replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
    .replaceAll('\\*', '.*')
    .replaceAll('\\?', '.');
  const shape = new RegExp(`^${source}$`, 'su');
  const placeOf = ({ key, type, name, personName }: IndexDocument): NamePosition | undefined => {
    const text = field === 'key' ? key : (name ?? personName);
    return text === undefined ? undefined : { text, key, type };
  };
  return stored
    .filter(({ type }) => types.includes(type))
    .flatMap((one) => placeOf(one) ?? [])
    .filter(({ text }) => shape.test(text))
    .sort(comparePositions)
    .filter((place) => after === undefined || comparePositions(place, after) > 0)
    .map(({ key }) => key);
}

function comparePositions(one: NamePosition, other: NamePosition): number {
  for (const part of ['text', 'key', 'type'] as const) {
    if (one[part] !== other[part]) return one[part] < other[part] ? -1 : 1;
  }
  return 0;
}

function patternOf(text: string): NameQuery['pattern'] {
  return { prefix: /^[^*?]*/.exec(text)![0], text };
}

function randomPattern(): string {
  const start = `${random(3) === 0 ? 'a' : ''}ab`.slice(-2);
  switch (random(5)) {
    case 0:
      return `${start}${randomText(letters, random(3))}`;
    case 1:
      return `${start}${randomText(letters, random(3))}*`;
    case 2:
      return `${start}*${randomText(letters, 1 + random(2))}`;
    case 3:
      return `${start}*${randomText(letters, 1)}*`;
    default:
      return `${start}${randomText([...letters, '?'], random(3))}?${random(2) === 0 ? '*' : ''}`;
  }
}

/** Patterns, order, pages. */
export function namesContract(index: () => SearchIndex): void {
  beforeAll(() => fill(index(), source, stored));

  /** All pages, with `limit` objects each. */
  async function search(query: Omit<NameQuery, 'limit'>, limit = 100): Promise<string[]> {
    const keys: string[] = [];
    let after = query.after;
    do {
      const requested = { ...query, limit, ...(after && { after }) };
      const { pages, next } = (await index().searchNames(source, requested, new AbortController().signal))!;
      const page = (await collect(pages)).flat().map(({ key }) => key);
      expect(page.length).toBeLessThanOrEqual(limit);
      keys.push(...page);
      after = next;
    } while (after !== undefined);
    return keys;
  }

  test('finds what a model finds, in its order, on pages of any size', async () => {
    let objects = 0;
    for (let round = 0; round < inject('counts').namePatterns; round++) {
      const field = random(4) === 0 ? 'key' : 'name';
      const requested: ObjectTypeName[] = types.filter(() => random(2) === 0);
      const query = {
        field,
        pattern: patternOf(randomPattern()),
        types: requested.length > 0 ? requested : types,
      } as const;
      const expected = model(query);
      objects += expected.length;
      expect(await search(query, 1 + random(100)), JSON.stringify(query)).toEqual(expected);
      expect(await index().countNames(source, query, new AbortController().signal)).toBe(expected.length);
    }
    expect(objects).toBeGreaterThan(1_000);
  });

  test.each<[string, string, NameQuery['field'], string[]]>([
    ['a large object', 'large', 'name', ['large-test']],
    ['a key', 'large-test', 'key', ['large-test']],
    ['no part of a name', 'larg', 'name', []],
    ['nothing that begins otherwise', 'zz*', 'name', []],
  ])('finds %s', async (_what, text, field, keys) => {
    expect(await search({ field, pattern: patternOf(text), types })).toEqual(keys);
  });

  test('continues after an object that is gone', async () => {
    const query = { field: 'name', pattern: patternOf('ab*'), types } as const;
    const after = { text: 'ab common', key: 'b', type: 'person' } as const;
    expect(await search({ ...query, after })).toEqual(model({ ...query, after }));
  });

  test('a change of an object changes the names by which it is found', async () => {
    const other = 'NAMES-CHANGED';
    const [before, after] = ['before', 'after'].map((personName, at) =>
      document({ source: other, type: 'person', key: 'ab1-test', personName, serial: BigInt(at + 1) }),
    );
    const find = async (text: string) => {
      const query = { field: 'name', pattern: patternOf(text), types, limit: 10 } as const;
      const found = await index().searchNames(other, query, new AbortController().signal);
      return (await collect(found!.pages)).flat().map(({ key }) => key);
    };
    await fill(index(), other, [before!]);
    expect([await find('bef*'), await find('after')]).toEqual([['ab1-test'], []]);
    await index().apply(other, { after: 1n, documents: [after!], deletions: [], serial: 2n });
    expect([await find('bef*'), await find('after')]).toEqual([[], ['ab1-test']]);
    await index().apply(other, { after: 2n, documents: [], deletions: [after!], serial: 3n });
    expect([await find('bef*'), await find('after')]).toEqual([[], []]);
  });

  test('suggestions show no person', async () => {
    const requested = { key: 'ab com', name: 'ab com', limit: 20 };
    const found = await index().suggest(source, requested, new AbortController().signal);
    const shown = (await collect(found!.pages)).flat();
    expect(new Set(shown.map(({ type }) => type))).toEqual(new Set(['inetnum', 'organisation', 'role']));
  });

  test('a source without an index has no result, and a cancelled search ends', async () => {
    const query = { field: 'name', pattern: patternOf('ab*'), types, limit: 10 } as const;
    expect(await index().searchNames('NEVER-BUILT', query, new AbortController().signal)).toBeUndefined();
    expect(await index().countNames('NEVER-BUILT', query, new AbortController().signal)).toBeUndefined();
    await expect(index().searchNames(source, query, AbortSignal.abort())).rejects.toThrow();
  });
}
