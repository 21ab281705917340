import { type Family, PrefixList } from './prefix-list.js';

/** The prefixes of the routes of each AS number. */
export type RouteTable = ReturnType<typeof createRouteTable>;

/** Makes an empty table. */
export function createRouteTable() {
  const lists = { 4: new Map<number, PrefixList>(), 6: new Map<number, PrefixList>() } as const;
  let size = 0;
  return {
    /** Number of routes. */
    get size(): number {
      return size;
    },
    /** Adds a route; false when it is there already. */
    add(origin: number, family: Family, prefix: Uint32Array): boolean {
      const list = lists[family].get(origin) ?? new PrefixList(family);
      if (list.size === 0) lists[family].set(origin, list);
      const isNew = list.add(prefix);
      if (isNew) size++;
      return isNew;
    },
    /** Removes a route; false when it is not there. */
    remove(origin: number, family: Family, prefix: Uint32Array): boolean {
      const list = lists[family].get(origin);
      if (!list?.remove(prefix)) return false;
      size--;
      if (list.size === 0) lists[family].delete(origin);
      return true;
    },
    has: (origin: number, family: Family, prefix: Uint32Array): boolean =>
      lists[family].get(origin)?.has(prefix) ?? false,
    /** The prefixes of an AS number, valid until the next change; undefined when there are none. */
    of: (origin: number, family: Family): PrefixList | undefined => lists[family].get(origin),
    /** The AS numbers with their lists; concurrent changes may show. */
    all: (family: Family): Iterable<readonly [origin: number, list: PrefixList]> => lists[family],
  };
}
