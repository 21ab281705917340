import {
  type ExpandableType,
  expandableTypes,
  parseAsNumber,
  parseReadable,
  type RpslObject,
  setTypeOf,
} from '@cadastre/rpsl';
import {
  bytesOf,
  type CompactSet,
  compactSet,
  flat,
  listed,
  maintainersTogether,
  spelled,
  valuesIn,
} from './compact-set.js';
import { type Cost, createIndexBudget, type IndexBounds, type Refusal, type SourceBudget } from './index-budget.js';
import { createOriginTable } from './origin-table.js';
import { type Family, wordsEach } from './prefix-list.js';
import { prefixWords } from './prefix-text.js';
import { createRouteTable, type RouteTable } from './route-table.js';

/** The types of the objects that the index needs. */
export const indexedTypes = [...expandableTypes, 'aut-num', 'inet-rtr', 'route', 'route6'] as const;

function isSetType(type: string): type is ExpandableType {
  return expandableTypes.some((one) => one === type);
}

/** An object for the index. */
export interface IndexedObject {
  readonly type: string;
  readonly key: string;
  readonly text: string;
}

/** The data of one source for expansions and prefix lists. */
export interface SourceContents {
  readonly routes: Pick<RouteTable, 'of' | 'size'>;
  /** Routes that no list has: ROAs make them invalid, or another source is preferred. */
  readonly hidden: Pick<RouteTable, 'of' | 'size'>;
  /** The origins of the routes with a prefix, in any order; with those of the hidden ones. */
  originsOf(family: Family, prefix: Uint32Array, withHidden: boolean): number[];
  readonly bounds: IndexBounds;
  /** The set with a name, in any letter case; or why it is not in the index. */
  set(type: ExpandableType, name: string): CompactSet | Refusal | undefined;
  /** The members that name a set in `member-of` and that it admits; at most `max`. */
  joined(name: string, set: CompactSet, max: number): string[];
}

/** The index of one source. */
export type SourceIndex = ReturnType<typeof createSourceIndex>;

/** Whether lists leave out a route: ROAs make it invalid, or another source is preferred. */
export type IsHidden = (origin: number, family: Family, prefix: Uint32Array) => boolean;

/** An object that names sets in `member-of`. */
interface Joiner {
  /** In the form of answers. */
  readonly member: string;
  /** Names of the sets, in lower case, separated by commas. */
  readonly sets: string;
  /** Lower case, separated by commas. */
  readonly maintainers: string;
  readonly cost: Cost;
}

/** A set in the index. */
interface Held {
  readonly set: CompactSet;
  readonly cost: Cost;
}

/** An object without this text names no set. */
const namesSets = /member-of/i;

/** Makes the empty index of a source. */
export function createSourceIndex(isHiddenRoute: IsHidden, budget: SourceBudget = createIndexBudget().of('')) {
  const { bounds } = budget;
  const routes = createRouteTable();
  const hidden = createRouteTable();
  /** Of all routes: comparing them again changes nothing in it. */
  const origins = createOriginTable();
  const sets = new Map<string, Held | Refusal>();
  let refusedSets = 0;
  const joiners = new Map<string, Joiner>();
  const refusedJoiners = new Set<string>();
  /** By the name of the set, and by the object. */
  const joinersOf = new Map<string, Map<string, Joiner>>();
  const removeSet = (id: string) => {
    const known = sets.get(id);
    if (typeof known === 'string') refusedSets--;
    else if (known !== undefined) budget.release(known.cost);
    sets.delete(id);
  };
  const putSet = (id: string, object: RpslObject): Refusal | undefined => {
    removeSet(id);
    const set = compactSet(object, bounds.setMembers);
    const cost = set && { maintainers: maintainersTogether(object), members: set.size, bytes: bytesOf(set) };
    const refusal = cost === undefined ? 'set' : budget.take(cost);
    if (refusal !== undefined) refusedSets++;
    sets.set(id, refusal ?? { set: set!, cost: cost! });
    return refusal;
  };
  const removeJoiner = (id: string) => {
    refusedJoiners.delete(id);
    const known = joiners.get(id);
    if (known === undefined) return;
    for (const set of valuesIn(known.sets)) {
      joinersOf.get(set)?.delete(id);
      if (joinersOf.get(set)?.size === 0) joinersOf.delete(set);
    }
    joiners.delete(id);
    budget.release(known.cost);
  };
  const putJoiner = (
    id: string,
    member: string,
    object: RpslObject | undefined,
    isRouter: boolean,
  ): Refusal | undefined => {
    removeJoiner(id);
    const joiner = object && joinerOf(object, member, isRouter, bounds.setMembers);
    if (joiner === undefined) return undefined;
    const refusal = typeof joiner === 'string' ? joiner : budget.take(joiner.cost);
    if (typeof joiner === 'string' || refusal !== undefined) {
      refusedJoiners.add(id);
      return refusal;
    }
    joiners.set(id, joiner);
    for (const set of valuesIn(joiner.sets)) {
      const known = joinersOf.get(set) ?? new Map<string, Joiner>();
      joinersOf.set(set, known.set(id, joiner));
    }
    return undefined;
  };
  return {
    routes,
    hidden,
    bounds,
    /** Number of sets. */
    get sets(): number {
      return sets.size - refusedSets;
    },
    /** Number of sets, and of objects that join sets, that are not in the index because of its bounds. */
    get refused(): number {
      return refusedSets + refusedJoiners.size;
    },
    set(type: ExpandableType, name: string): CompactSet | Refusal | undefined {
      const known = setTypeOf(name) === type ? sets.get(name.toLowerCase()) : undefined;
      return typeof known === 'object' ? known.set : known;
    },
    joined(name: string, { admitted }: CompactSet, max: number): string[] {
      const found = new Set<string>();
      const mntners = new Set(valuesIn(admitted));
      const all = mntners.size === 0 ? undefined : joinersOf.get(name.toLowerCase());
      for (const { member, maintainers } of all?.values() ?? []) {
        if (found.size >= max) break;
        if (mntners.has('any') || valuesIn(maintainers).some((one) => mntners.has(one))) found.add(member);
      }
      return [...found];
    },
    originsOf: (family: Family, prefix: Uint32Array, withHidden: boolean): number[] =>
      origins
        .candidates(family, prefix)
        .filter((origin) =>
          [routes, ...(withHidden ? [hidden] : [])].some((table) => table.has(origin, family, prefix)),
        ),
    /** Adds or replaces an object. Returns the bound that excludes it from the index, if any. */
    put({ type, key, text }: IndexedObject): Refusal | undefined {
      if (isSetType(type)) {
        const object = parseReadable(text);
        return object && putSet(key.toLowerCase(), object);
      }
      const route = routeOfKey(type, key);
      if (route !== undefined) {
        const { origin, family, prefix } = route;
        const isHidden = isHiddenRoute(origin, family, prefix);
        const isAdded = (isHidden ? hidden : routes).add(origin, family, prefix);
        const isMoved = (isHidden ? routes : hidden).remove(origin, family, prefix);
        if (isAdded && !isMoved) origins.add(origin, family, prefix);
      }
      const object = namesSets.test(text) ? parseReadable(text) : undefined;
      const isRouter = type === 'inet-rtr';
      return putJoiner(joinerId(type, key), spelled(route?.text ?? key, isRouter), object, isRouter);
    },
    /** Removes an object, if it is there. */
    remove(type: string, key: string) {
      if (isSetType(type)) return removeSet(key.toLowerCase());
      const route = routeOfKey(type, key);
      if (route !== undefined) {
        const { origin, family, prefix } = route;
        const isRemoved = [routes, hidden].some((table) => table.remove(origin, family, prefix));
        if (isRemoved) origins.remove(origin, family, prefix);
      }
      removeJoiner(joinerId(type, key));
    },
    /**
     * Hides and shows routes by the current ROAs and preferred sources. `pause` runs after some of them, to let other
     * work run first; it may throw to end this.
     */
    async judge(pause: () => Promise<unknown>): Promise<void> {
      // Hides routes first, so that none is shown longer than necessary.
      await moveRoutes(routes, hidden, isHiddenRoute, pause);
      await moveRoutes(hidden, routes, (...route) => !isHiddenRoute(...route), pause);
    },
  };
}

/** Routes to compare before other work gets a turn. */
const routesPerTurn = 2_000;

async function moveRoutes(
  from: RouteTable,
  to: RouteTable,
  moves: IsHidden,
  pause: () => Promise<unknown>,
): Promise<void> {
  let judged = 0;
  for (const family of [4, 6] as const) {
    const each = wordsEach(family);
    for (const [origin, list] of from.all(family)) {
      // Moving changes the list.
      const words = list.words.slice();
      for (let at = 0; at < words.length; at += each) {
        const prefix = words.subarray(at, at + each);
        if (moves(origin, family, prefix)) {
          from.remove(origin, family, prefix);
          to.add(origin, family, prefix);
        }
      }
      judged += words.length / each;
      if (judged < routesPerTurn) continue;
      judged = 0;
      await pause();
    }
  }
}

function joinerId(type: string, key: string): string {
  return `${type} ${key.toLowerCase()}`;
}

/** Undefined for an object that names no set that it can join: only routers join rtr-sets. */
function joinerOf(
  object: RpslObject,
  member: string,
  isRouter: boolean,
  maxSets: number,
): Joiner | Refusal | undefined {
  const named = listed(object, ['member-of'], maxSets);
  const maintainers = listed(object, ['mnt-by'], maxSets);
  if (named === undefined || maintainers === undefined) return 'set';
  const joined = named.filter((name) => (setTypeOf(name) === 'rtr-set') === isRouter);
  const sets = new Set(joined.map((name) => name.toLowerCase()));
  if (sets.size === 0) return undefined;
  const joiner = {
    member: flat([member]),
    sets: flat([...sets]),
    maintainers: flat(maintainers.map((name) => name.toLowerCase())),
  };
  const bytes = joinerBytes + sets.size * namedSetBytes + 2 * joiner.sets.length + joiner.maintainers.length;
  return { ...joiner, cost: { maintainers: maintainersTogether(object), members: sets.size, bytes } };
}

/** Memory of an object that joins sets, and of each set that it names. */
const joinerBytes = 500;
const namedSetBytes = 300;

/** A route by its key, the prefix followed by the origin. */
interface KeyedRoute {
  readonly origin: number;
  readonly family: Family;
  readonly prefix: Uint32Array;
  /** The prefix as in the key. */
  readonly text: string;
}

const routeKey = /^(.+\/\d+)(as\d+)$/i;

function routeOfKey(type: string, key: string): KeyedRoute | undefined {
  if (type !== 'route' && type !== 'route6') return undefined;
  const [, text = '', originText = ''] = routeKey.exec(key) ?? [];
  const family = type === 'route' ? 4 : 6;
  const prefix = prefixWords(text, family);
  const origin = parseAsNumber(originText);
  return prefix && origin !== undefined ? { origin, family, prefix, text } : undefined;
}
