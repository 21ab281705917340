import { type Family, PrefixList } from './prefix-list.js';

/** The prefixes of the routes of each AS number. */
export interface RouteTable {
  /** Number of routes. */
  readonly size: number;
  /** Adds a route; false when it is there already. */
  add(origin: number, family: Family, prefix: Uint32Array): boolean;
  /** Removes a route; false when it is not there. */
  remove(origin: number, family: Family, prefix: Uint32Array): boolean;
  has(origin: number, family: Family, prefix: Uint32Array): boolean;
  /** The prefixes of an AS number, valid until the next change; undefined when there are none. */
  of(origin: number, family: Family): PrefixList | undefined;
  /** The AS numbers with their lists; concurrent changes may show. */
  all(family: Family): Iterable<readonly [origin: number, list: PrefixList]>;
}

/** Makes an empty table. */
export function createRouteTable(): RouteTable {
  const lists = { 4: new Map<number, PrefixList>(), 6: new Map<number, PrefixList>() } as const;
  let size = 0;
  return {
    get size() {
      return size;
    },
    add(origin, family, prefix) {
      const list = lists[family].get(origin) ?? new PrefixList(family);
      if (list.size === 0) lists[family].set(origin, list);
      const isNew = list.add(prefix);
      if (isNew) size++;
      return isNew;
    },
    remove(origin, family, prefix) {
      const list = lists[family].get(origin);
      if (!list?.remove(prefix)) return false;
      size--;
      if (list.size === 0) lists[family].delete(origin);
      return true;
    },
    has: (origin, family, prefix) => lists[family].get(origin)?.has(prefix) ?? false,
    of: (origin, family) => lists[family].get(origin),
    all: (family) => lists[family],
  };
}
