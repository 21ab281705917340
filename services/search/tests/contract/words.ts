import type { ObjectTypeName } from '@cadastre/rpsl';
import { beforeAll, expect, test } from 'vitest';
import {
  maxWords,
  type SearchIndex,
  type WordMatches,
  type WordPosition,
  type WordQuery,
} from '../../src/index-port.js';
import { collect } from '../searching.js';
import { document, fill } from './documents.js';

const source = 'WORDS';

function worded(type: ObjectTypeName, key: string, words: Record<string, number>, name?: string) {
  const all = new Map(Object.entries(words));
  return document({ source, type, key, words: all, ...(name !== undefined && { name }) });
}

const stored = [
  worded('inetnum', '10.0.0.0 - 10.0.0.255', { example: 0, net: 0, amsterdam: 1 }, 'example-net'),
  worded('inetnum', '10.0.1.0 - 10.0.1.255', { example: 0, net: 0, two: 0, amsterdam: 2 }, 'example-net-two'),
  worded('inetnum', '10.0.2.0 - 10.0.2.255', { other: 0, example: 1, amsterdam: 1 }, 'other-net'),
  worded('route', '10.0.2.0/24as64496', { example: 1 }),
  worded('organisation', 'org-ex1-test', { example: 0, amsterdam: 2 }, 'example'),
  worded('mntner', 'example-mnt', { example: 0, mnt: 0 }),
  worded('person', 'ex1-test', {}),
  document({ source, type: 'mntner', key: 'large-mnt', words: new Map([['large', 0]]), text: textOf(5_000) }),
];

function textOf(characters: number): string {
  return `mntner: large-mnt\nremarks: ${'x'.repeat(characters)}\n`;
}

const bestFirst: readonly ObjectTypeName[] = ['organisation', 'mntner', 'inetnum', 'route', 'person'];

/** Ranks, counts, types, pages. */
export function wordsContract(index: () => SearchIndex): void {
  beforeAll(() => fill(index(), source, stored));

  async function search(text: string, query: Partial<WordQuery> = {}) {
    const words = text === '' ? [] : text.split(' ');
    const whole = { words, key: text, name: text, types: bestFirst, limit: 100, ...query };
    const found = await index().searchWords(source, whole, new AbortController().signal);
    return found && { ...found, keys: await keysOf(found) };
  }

  async function keysOf({ pages }: WordMatches): Promise<string[]> {
    return (await collect(pages)).flat().map(({ key }) => key);
  }

  const [net, two, other] = ['10.0.0.0 - 10.0.0.255', '10.0.1.0 - 10.0.1.255', '10.0.2.0 - 10.0.2.255'];
  test.each<[string, string, Partial<WordQuery>, (string | undefined)[]]>([
    [
      'a name, words in names by type and key, then in descriptions',
      'example',
      {},
      ['org-ex1-test', 'example-mnt', net, two, other, '10.0.2.0/24as64496'],
    ],
    ['all words: the better ones first', 'example amsterdam', {}, [net, 'org-ex1-test', two, other]],
    ['a word in any order', 'amsterdam net', {}, [net, two]],
    [
      'a whole key first',
      'example',
      { key: '10.0.2.0/24as64496' },
      ['10.0.2.0/24as64496', 'org-ex1-test', 'example-mnt', net, two, other],
    ],
    [
      'a whole name first',
      'example',
      { name: 'other-net' },
      [other, 'org-ex1-test', 'example-mnt', net, two, '10.0.2.0/24as64496'],
    ],
    ['a key without words', '', { key: 'ex1-test' }, ['ex1-test']],
    ['some types, in their order', 'example', { types: ['route', 'mntner'] }, ['example-mnt', '10.0.2.0/24as64496']],
    ['a key of another type', '', { key: 'ex1-test', types: ['mntner'] }, []],
    ['no part of a word', 'exampl', {}, []],
    ['a word that no object has', 'example nowhere', {}, []],
    ['as many words as may be', Array.from({ length: maxWords }, (_, at) => `w${at}`).join(' '), {}, []],
    ['nothing', '', {}, []],
    ['a large object', 'large', {}, ['large-mnt']],
  ])('finds %s', async (_what, text, query, keys) => {
    expect((await search(text, query))?.keys).toEqual(keys);
  });

  test('counts all pages by type, with the serial', async () => {
    const { counts, isPartial, serial, keys } = (await search('example', { limit: 0 }))!;
    expect([...counts].sort()).toEqual([
      ['inetnum', 3],
      ['mntner', 1],
      ['organisation', 1],
      ['route', 1],
    ]);
    expect({ isPartial, serial, keys }).toEqual({ isPartial: false, serial: 1n, keys: [] });
    expect([...(await search('nowhere'))!.counts]).toEqual([]);
  });

  test('pages continue after the last object, also if it is gone', async () => {
    const all = (await search('example'))!;
    expect(all.next).toBeUndefined();
    for (const limit of [1, 2, 6]) {
      const keys: string[] = [];
      let after: WordPosition | undefined;
      do {
        const page = (await search('example', { limit, ...(after && { after }) }))!;
        expect([...page.counts].sort()).toEqual([...all.counts].sort());
        keys.push(...page.keys);
        after = page.next;
      } while (after !== undefined);
      expect(keys).toEqual(all.keys);
    }
    const after = { rank: 2, type: 'mntner', key: 'example' } as const;
    expect((await search('example', { after }))!.keys).toEqual(all.keys.slice(1));
    const end = { rank: 2 + 2 * maxWords, type: 'person', key: 'z' } as const;
    const { keys, counts } = (await search('example', { after: end }))!;
    expect({ keys, types: counts.size }).toEqual({ keys: [], types: 4 });
  });

  test('a change of an object changes the words by which it is found', async () => {
    const other = 'WORDS-CHANGED';
    const [before, after] = ['before', 'after'].map((word, at) => {
      const words = new Map([[word, 0]]);
      return document({ source: other, type: 'mntner', key: 'a-mnt', words, name: word, serial: BigInt(at + 1) });
    });
    const find = async (word: string) => {
      const query = { words: [word], key: '', name: word, types: bestFirst, limit: 10 };
      return keysOf((await index().searchWords(other, query, new AbortController().signal))!);
    };
    await fill(index(), other, [before!]);
    expect([await find('before'), await find('after')]).toEqual([['a-mnt'], []]);
    await index().apply(other, { after: 1n, documents: [after!], deletions: [], serial: 2n });
    expect([await find('before'), await find('after')]).toEqual([[], ['a-mnt']]);
    await index().apply(other, { after: 2n, documents: [], deletions: [after!], serial: 3n });
    expect([await find('before'), await find('after')]).toEqual([[], []]);
  });

  test('a rebuilt index has the words', async () => {
    const rebuild = await index().beginRebuild('WORDS-REBUILT', { serial: 1n });
    await rebuild.fill([{ ...stored[0]!, source: 'WORDS-REBUILT' }], 'end');
    expect(await rebuild.finish({ serial: 1n })).toBe(true);
    const query = { words: ['net', 'amsterdam'], key: '', name: '', types: bestFirst, limit: 10 };
    const found = await index().searchWords('WORDS-REBUILT', query, new AbortController().signal);
    expect(await keysOf(found!)).toEqual([net]);
  });

  test('a source without an index has no result, and a cancelled search ends', async () => {
    const query = { words: ['example'], key: '', name: '', types: bestFirst, limit: 10 };
    expect(await index().searchWords('NEVER-BUILT', query, new AbortController().signal)).toBeUndefined();
    await expect(index().searchWords(source, query, AbortSignal.abort())).rejects.toThrow();
  });
}
