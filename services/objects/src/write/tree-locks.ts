import { type AddressRange, type ObjectTypeName, type RpslObject, rangeOf } from '@cadastre/rpsl';
import { governingTypes } from '../domain/governing.js';
import type { Prepared } from '../domain/submission.js';
import { blockLock, hierarchyLock, type LockName, type LockNames } from '../store/locks.js';

type Space = Parameters<typeof hierarchyLock>[0];

/** The trees that objects of a type are in. */
const spaces: { readonly [type in ObjectTypeName]?: Space } = {
  inetnum: 'ipv4',
  inet6num: 'ipv6',
  'as-block': 'as',
  domain: 'domain',
  route: 'route',
  route6: 'route6',
};

/** The lengths of the prefixes that have a lock, for each family of addresses. */
const blockLengths = { 4: [8, 16, 20, 24, 28], 6: [16, 24, 32, 40, 48, 56, 64] } as const;

/** A write of more changes takes whole trees, so that it holds few locks. */
const maxChangesInBlocks = 16;

/**
 * The locks for adding to trees of ranges and deleting from them, and for reading who governs new objects. A range lies
 * in a chain of blocks, from the whole tree to the smallest block that contains it. A creation takes this smallest one
 * exclusively and those above shared; a reader takes all of them shared. Of two ranges that overlap, the smallest block
 * of one is in the chain of the other, so that what they do excludes each other. A deletion takes the whole tree.
 */
export function treeLocks(changes: readonly Prepared[]): LockNames {
  const isLarge = changes.length > maxChangesInBlocks;
  const exclusive: LockName[] = [];
  const shared: LockName[] = [];
  for (const change of changes) {
    const space = change.verb === 'update' ? undefined : spaces[change.type];
    const range = change.verb === 'create' ? rangeOf(change.object) : undefined;
    const addresses = range === undefined || 'as' in range || isLarge ? undefined : range;
    if (space !== undefined) {
      const chain = chainOf(space, addresses);
      exclusive.push(chain.at(-1)!);
      shared.push(...chain.slice(0, -1));
    }
    const governing = change.verb === 'create' ? governingSpace(change) : undefined;
    if (governing !== undefined) (isLarge ? exclusive : shared).push(...chainOf(governing, addresses));
  }
  return { exclusive, shared };
}

/** The tree with the networks or AS blocks that govern a new object. */
function governingSpace({ type, object }: { readonly type: ObjectTypeName; readonly object: RpslObject }) {
  const range = governingTypes[type] === undefined ? undefined : rangeOf(object);
  if (range === undefined) return undefined;
  if ('as' in range) return 'as';
  return range.family === 4 ? 'ipv4' : 'ipv6';
}

/** The locks of the tree and of the blocks in it that contain the addresses, the smallest last. */
function chainOf(space: Space, addresses: AddressRange | undefined): LockName[] {
  const tree = hierarchyLock(space);
  if (addresses === undefined) return [tree];
  const { family, first, last } = addresses;
  const bits = family === 4 ? 32 : 128;
  const blocks = blockLengths[family].flatMap((length) => {
    const shift = BigInt(bits - length);
    const block = first >> shift;
    return block === last >> shift ? [blockLock(space, family, length, block)] : [];
  });
  return [tree, ...blocks];
}
