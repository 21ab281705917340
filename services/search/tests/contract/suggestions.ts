import { beforeAll, expect, test } from 'vitest';
import type { SearchIndex } from '../../src/index-port.js';
import { collect } from '../searching.js';
import { document, fill } from './documents.js';

const source = 'SUGGESTIONS';

const stored = [
  document({ source, type: 'aut-num', key: 'as64496', name: 'example-as' }),
  document({ source, type: 'aut-num', key: 'as64497' }),
  document({ source, type: 'as-set', key: 'as64496:as-customers' }),
  document({ source, type: 'mntner', key: 'example-mnt' }),
  document({ source, type: 'person', key: 'ex1-test' }),
  document({ source, type: 'organisation', key: 'org-ex1-test', name: 'example net' }),
  document({ source, type: 'role', key: 'no1-test', name: 'not example_net 100%' }),
  document({ source, type: 'role', key: 'net-test', name: 'net-test' }),
  ...Array.from({ length: 30 }, (_, n) => {
    return document({ source, type: 'inetnum', key: `10.0.0.${n} - 10.0.0.${n}`, name: 'example net' });
  }),
];

/** Beginnings of keys and names. */
export function suggestionsContract(index: () => SearchIndex): void {
  beforeAll(() => fill(index(), source, stored));

  const suggest = async (text: string, limit = 8, name = text) => {
    const found = await index().suggest(source, { key: text, name, limit }, new AbortController().signal);
    return (await collect(found!.pages)).flat().map(({ type, key }) => `${type} ${key}`);
  };

  test.each([
    ['as64496', ['aut-num as64496', 'as-set as64496:as-customers']],
    ['as6449', ['aut-num as64496', 'as-set as64496:as-customers', 'aut-num as64497']],
    ['ex1', ['person ex1-test']],
    ['example-', ['aut-num as64496', 'mntner example-mnt']],
    ['net', ['role net-test']],
    ['not example_net 100%', ['role no1-test']],
    ['10.0.0.2 ', ['inetnum 10.0.0.2 - 10.0.0.2']],
    ['%', []],
    ['zz', []],
  ])('%j begins these', async (text, expected) => {
    expect(await suggest(text)).toEqual(expected);
  });

  test('there is one object for each name and type, in the order of names', async () => {
    const [network, ...others] = await suggest('example');
    expect(network).toMatch(/^inetnum 10\.0\.0\.\d+ /);
    expect(others).toEqual(['organisation org-ex1-test', 'aut-num as64496', 'mntner example-mnt']);
  });

  test.each([1, 3, 20])('there are at most %d', async (limit) => {
    expect(await suggest('10.0.0.', limit)).toHaveLength(limit);
    expect(await suggest('example', limit)).toHaveLength(Math.min(limit, 4));
  });

  test('keys and names may begin differently', async () => {
    expect(await suggest('ex1', 8, 'not')).toEqual(['person ex1-test', 'role no1-test']);
  });

  test('a source without an index has no result', async () => {
    const requested = { key: 'as', name: 'as', limit: 8 };
    expect(await index().suggest('NEVER-BUILT', requested, new AbortController().signal)).toBeUndefined();
  });
}
