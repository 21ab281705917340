import { type AddressRange, type ObjectTypeName, type Resource, type RpslObject, rangeOf } from '@cadastre/rpsl';
import { governingTypes } from '../domain/governing.js';
import { below, nameOfBlock, nameOfTree, type Space, type WriteName, type WriteNames } from '../store/names.js';

/** The trees that objects of a type are in. */
const spaces: { readonly [type in ObjectTypeName]?: Space } = {
  inetnum: 'ipv4',
  inet6num: 'ipv6',
  'as-block': 'as',
  domain: 'domain',
  route: 'route',
  route6: 'route6',
};

/** The lengths of the prefixes that have a name, for each family of addresses. */
const blockLengths = { 4: [8, 16, 20, 24, 28], 6: [16, 24, 32, 40, 48, 56, 64] } as const;

const noNames: WriteNames = { read: [], written: [] };

/**
 * What an object reads and writes in its tree of ranges when it is created, deleted, or compared with what is around
 * it. A range lies in a chain of blocks, from the whole tree to the smallest block that contains it. It writes this
 * smallest one, and everything below the others. It reads all of them, and everything below the smallest one. Of two
 * ranges that overlap, the smallest block of one is in the chain of the other, so that each reads what the other
 * writes.
 */
export function treeNames(object: RpslObject): WriteNames {
  const space = spaces[object.type];
  const range = rangeOf(object);
  if (space === undefined || range === undefined) return noNames;
  const chain = chainOf(space, range);
  const [smallest, above] = [chain.at(-1)!, chain.slice(0, -1)];
  return { read: [...chain, below(smallest)], written: [smallest, ...above.map(below)] };
}

/** The names in the tree of the networks or AS blocks that govern a new object. */
export function governingNames(object: RpslObject): WriteName[] {
  const range = governingTypes[object.type] === undefined ? undefined : rangeOf(object);
  if (range === undefined) return [];
  if ('as' in range) return chainOf('as', range);
  return chainOf(range.family === 4 ? 'ipv4' : 'ipv6', range);
}

/** The names of the tree and of the blocks in it that contain a range, the smallest last. */
function chainOf(space: Space, range: Resource): WriteName[] {
  const tree = nameOfTree(space);
  return 'as' in range ? [tree] : [tree, ...blocksOf(space, range)];
}

function blocksOf(space: Space, { family, first, last }: AddressRange): WriteName[] {
  const bits = family === 4 ? 32 : 128;
  return blockLengths[family].flatMap((length) => {
    const shift = BigInt(bits - length);
    const block = first >> shift;
    return block === last >> shift ? [nameOfBlock(space, family, length, block)] : [];
  });
}
