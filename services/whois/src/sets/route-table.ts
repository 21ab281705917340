import { type Family, PrefixList } from './prefix-list.js';

/** The prefixes of the routes of each AS number. */
export interface RouteTable {
  /** Number of routes. */
  readonly size: number;
  /** Adds a route, unless it is there. */
  add(origin: number, family: Family, prefix: Uint32Array): void;
  /** Removes a route, if it is there. */
  remove(origin: number, family: Family, prefix: Uint32Array): void;
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
      if (list.add(prefix)) size++;
    },
    remove(origin, family, prefix) {
      const list = lists[family].get(origin);
      if (!list?.remove(prefix)) return;
      size--;
      if (list.size === 0) lists[family].delete(origin);
    },
    of: (origin, family) => lists[family].get(origin),
    all: (family) => lists[family],
  };
}
