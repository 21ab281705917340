import type { Range, Space } from '@cadastre/query';
import type { ObjectTypeName } from '@cadastre/rpsl';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { IndexDocument, InsideQuery, SearchIndex, Spanned } from '../../src/index-port.js';
import { bottomOf } from '../../src/rpc/list-below.js';
import { firstLevelModel, type ModelRange, randomTree } from '../random-trees.js';
import { document, fill, ipv4, ipv4Range } from './documents.js';

const source = 'SPANS';
const trees = inject('counts').spanTrees;
const slot = 4096n;

const kinds: readonly { type: ObjectTypeName; space: Space; base: bigint }[] = [
  { type: 'inetnum', space: 'ipv4', base: 0x0a000000n },
  { type: 'inet6num', space: 'ipv6', base: 0x20010db8n << 96n },
  { type: 'domain', space: 'ipv4', base: 0x0a000000n },
];

const holder = { org: 'org=org-ex1-test', other: 'org=org-ex2-test', crowded: 'org=org-ex4-test' };

/** A holding of a holding, one of another holder between two, and one beside. */
const held: [key: string, range: Range, term: string][] = [
  ['outer', ipv4Range('192.0.2.0', '192.0.2.255'), holder.org],
  ['foreign', ipv4Range('192.0.2.0', '192.0.2.127'), holder.other],
  ['inner', ipv4Range('192.0.2.0', '192.0.2.63'), holder.org],
  ['inner, last', ipv4Range('192.0.2.192', '192.0.2.255'), holder.org],
  ['beside', ipv4Range('192.0.3.0', '192.0.3.255'), holder.org],
  ['crowded', ipv4Range('198.18.0.0', '198.18.255.255'), holder.crowded],
  ['last', ipv4Range('198.19.0.0', '198.19.0.255'), holder.crowded],
  ...Array.from({ length: 600 }, (_, n): [string, Range, string] => {
    const first = ipv4('198.18.0.0') + BigInt(n);
    return [`crowd ${n}`, { space: 'ipv4', first, last: first }, holder.crowded];
  }),
  ['unheld', ipv4Range('192.0.4.0', '192.0.4.255'), 'org=org-ex3-test'],
];

/** Ranges inside others, and what is outermost of those with a term. */
export function spansContract(index: () => SearchIndex): void {
  const signal = new AbortController().signal;
  const forest = kinds.map((kind) => ({
    ...kind,
    trees: Array.from({ length: trees }, (_, n) => randomTree(n + 1, kind.base + BigInt(n) * slot, slot)),
  }));

  beforeAll(async () => {
    const documents: IndexDocument[] = forest.flatMap(({ type, space, trees }) =>
      trees.flat().map((range) => {
        return document({ source, type, key: keyOf(range), range: { space, first: range.first, last: range.last } });
      }),
    );
    const networks = held.map(([key, range, term]) => {
      return document({ source, type: 'inetnum', key, range, terms: [term] });
    });
    const numbers = [64496n, 64497n, 64498n].map((number) => {
      const range: Range = { space: 'as', first: number, last: number };
      return document({ source, type: 'aut-num', key: `as${number}`, range, terms: [holder.org] });
    });
    await fill(index(), source, [...documents, ...networks, ...numbers]);
  });

  const inside = async (query: InsideQuery) => (await index().spansInside(source, query, signal))!.spans;

  describe.each(forest)('$type', ({ type, space, trees }) => {
    test.each([true, false])('inside any range, only the first level: %s', async (firstLevel) => {
      for (const tree of trees) {
        for (const requested of requestedOf(tree)) {
          const spans = await inside({ type, range: { space, ...requested }, firstLevel, max: 10_000 });
          const model = firstLevel ? firstLevelModel(tree, requested) : insideModel(tree, requested);
          expect(spans.map(({ key }) => key)).toEqual(model.map(keyOf));
        }
      }
    });

    test('the bounds tell the bottom', async () => {
      const tree = trees.find(({ length }) => length > 10)!;
      const spans = await inside({ type, range: { space, ...wholeOf(tree) }, firstLevel: false, max: 10_000 });
      const ranges: Spanned[] = tree.map((range) => ({ key: keyOf(range), ...range })).sort(byAddress);
      expect(bottomOf(spans).map(({ key }) => key)).toEqual(bottomOf(ranges).map(({ key }) => key));
    });
  });

  test.each([true, false])('the first ones are read, only the first level: %s', async (firstLevel) => {
    const range = ipv4Range('0.0.0.0', '255.255.255.255');
    const [first, second] = await inside({ type: 'inetnum', range, firstLevel, max: 10_000 });
    expect(await inside({ type: 'inetnum', range, firstLevel, max: 2 })).toEqual([first, second]);
  });

  test('the outermost objects of an organisation, of each type', async () => {
    const types = ['inet6num', 'inetnum', 'aut-num'] as const;
    const found = await index().holdings(source, { organisation: 'org-ex1-test', types, max: 2 }, signal);
    expect(found).toEqual({ serial: 1n, keys: [[], ['outer', 'beside'], ['as64496', 'as64497']] });
  });

  test('all of an organisation, also behind many in one of them', async () => {
    const requested = { organisation: 'org-ex4-test', types: ['inetnum'], max: 10 } as const;
    expect((await index().holdings(source, requested, signal))?.keys).toEqual([['crowded', 'last']]);
  });

  test('a source without an index has neither', async () => {
    const range = ipv4Range('0.0.0.0', '255.255.255.255');
    const query = { type: 'inetnum', range, firstLevel: true, max: 1 } as const;
    expect(await index().spansInside('SPANLESS', query, signal)).toBeUndefined();
    const held = { organisation: 'org-ex1-test', types: ['inetnum'], max: 1 } as const;
    expect(await index().holdings('SPANLESS', held, signal)).toBeUndefined();
  });
}

function keyOf({ first, last }: ModelRange): string {
  return `${first} - ${last}`;
}

/** All of the tree, an object that holds others, and one that cuts objects. */
function requestedOf(tree: readonly ModelRange[]): ModelRange[] {
  const whole = wholeOf(tree);
  const middle = (whole.first + whole.last) / 2n;
  return [whole, tree[Math.floor(tree.length / 3)]!, { first: whole.first + 3n, last: middle }];
}

function wholeOf([range]: readonly ModelRange[]): ModelRange {
  const first = (range!.first / slot) * slot;
  return { first, last: first + slot - 1n };
}

function insideModel(tree: readonly ModelRange[], requested: ModelRange): ModelRange[] {
  const found = tree.filter((range) => range.first >= requested.first && range.last <= requested.last);
  return found.filter((range) => keyOf(range) !== keyOf(requested)).sort(byAddress);
}

function byAddress(one: ModelRange, other: ModelRange): number {
  return Number(one.first - other.first) || Number(other.last - one.last);
}
