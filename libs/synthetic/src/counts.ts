import { type ObjectTypeName, objectTypeNames } from '@cadastre/rpsl';

export const minObjects = 100;
/** More would hardly fit into the IPv4 addresses below multicast. */
export const maxObjects = 10_000_000;

export type Counts = Readonly<Record<ObjectTypeName, number>>;

/** Objects of each type in 10,000; the rest is inetnum. */
const shares: Record<Exclude<ObjectTypeName, 'inetnum'>, number> = {
  person: 1400,
  route: 1000,
  domain: 800,
  inet6num: 500,
  organisation: 250,
  role: 150,
  'aut-num': 120,
  route6: 120,
  mntner: 100,
  'as-set': 25,
  'key-cert': 10,
  irt: 3,
  'route-set': 3,
  'as-block': 2,
  'filter-set': 1,
  'inet-rtr': 1,
  'peering-set': 1,
  poem: 1,
  'poetic-form': 1,
  'rtr-set': 1,
};

/** Number of objects of each type in a registry of that size: at least one of each. */
export function countsOf(objects: number): Counts {
  if (!Number.isInteger(objects) || objects < minObjects || objects > maxObjects) {
    throw new RangeError(`A synthetic registry has ${minObjects} to ${maxObjects} objects, not ${objects}`);
  }
  const counts = Object.fromEntries(objectTypeNames.map((name) => [name, 0])) as Record<ObjectTypeName, number>;
  let rest = objects;
  for (const [name, share] of Object.entries(shares)) {
    const count = Math.max(1, Math.floor((objects * share) / 10_000));
    counts[name as ObjectTypeName] = count;
    rest -= count;
  }
  counts.inetnum = rest;
  return counts;
}
