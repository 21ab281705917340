import type { Mode, Range } from '@cadastre/query';
import { beforeAll, expect, test } from 'vitest';
import type { IndexDocument, SearchIndex } from '../src/index-port.js';
import { document, fill, ipv4Range, keys } from './contract/documents.js';

const source = 'CROWDED';
const whole = ipv4Range('10.0.0.0', '10.255.255.255');

function route(first: bigint, last: bigint, origin: number): IndexDocument {
  const range: Range = { space: 'ipv4', first, last };
  return document({ source, type: 'route', key: `${first}-${last}as${origin}`, range, origin: `as${origin}` });
}

/** Four blocks. The first part of each is full of nested routes, and the third block itself has 1200 origins. */
function crowd(): IndexDocument[] {
  return Array.from({ length: 4 }, (_, i) => whole.first + BigInt(i) * 65536n).flatMap((block, i) => [
    ...Array.from({ length: i === 2 ? 1200 : 1 }, (_, origin) => route(block, block + 65535n, 64500 + origin)),
    ...Array.from({ length: 600 }, (_, n) => route(block + BigInt(n) * 4n, block + BigInt(n) * 4n + 2n, 64500)),
    ...Array.from({ length: 600 }, (_, n) => route(block + BigInt(n) * 4n + 1n, block + BigInt(n) * 4n + 1n, 64501)),
  ]);
}

/** The expected result of a mode, from a scan of all routes. */
function expected(routes: readonly IndexDocument[], range: Range, mode: Mode): string[] {
  const within = routes.filter((each) => each.range && holds(range, each.range) && !holds(each.range, range));
  const ranges = [...new Map(within.map((each) => [`${each.range!.first}-${each.range!.last}`, each.range!])).values()];
  const isTop = (one: Range) => !ranges.some((other) => other !== one && holds(other, one) && !holds(one, other));
  const tops = new Set(ranges.filter(isTop).map((each) => `${each.first}-${each.last}`));
  return within
    .filter((each) => mode === 'all-more' || tops.has(`${each.range!.first}-${each.range!.last}`))
    .toSorted((a, b) => Number(a.range!.first - b.range!.first || b.range!.last - a.range!.last) || byOrigin(a, b))
    .map((each) => each.key);
}

function byOrigin(a: IndexDocument, b: IndexDocument): number {
  return a.origin! < b.origin! ? -1 : 1;
}

function holds(outer: Range, inner: Range): boolean {
  return outer.first <= inner.first && outer.last >= inner.last;
}

/** Hierarchy among more objects than one request to the cluster reads. */
export function crowdedContract(index: () => SearchIndex): void {
  const routes = crowd();
  beforeAll(() => fill(index(), source, routes.toReversed()));

  const blocks = { ...whole, last: whole.first + 3n * 65536n - 1n };
  test.each([
    ['three blocks', blocks],
    ['a block and a piece', { ...whole, first: whole.first + 5n, last: whole.first + 2n * 65536n + 7n }],
    ['one block', { ...whole, first: whole.first + 65536n, last: whole.first + 131071n }],
    ['the crowded part of a block', { ...whole, last: whole.first + 2399n }],
    ['what lies between', { ...whole, first: whole.first + 3000n, last: whole.first + 65535n }],
  ])('first level and all inside %s', async (_, range) => {
    for (const mode of ['one-more', 'all-more'] as const) {
      const found = await keys(index(), source, { kind: 'range', type: 'route', range, mode });
      expect(found, mode).toEqual(expected(routes, range, mode));
    }
  });

  test('with an origin, of the first level those of that origin', async () => {
    const query = { kind: 'range', type: 'route', range: blocks, mode: 'one-more', origin: 'as65000' } as const;
    expect(await keys(index(), source, query)).toEqual([`${whole.first + 131072n}-${whole.first + 196607n}as65000`]);
  });
}
