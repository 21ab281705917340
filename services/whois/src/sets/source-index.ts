import {
  type ExpandableType,
  parseAsNumber,
  parseObject,
  type RpslObject,
  type SetContents,
  setContents,
  setTypeOf,
  valuesOf,
} from '@cadastre/rpsl';
import { type Family, wordsEach } from './prefix-list.js';
import { prefixWords } from './prefix-words.js';
import { createRouteTable, type RouteTable } from './route-table.js';

/** The types of the objects that the index needs. */
export const indexedTypes = ['as-set', 'route-set', 'aut-num', 'route', 'route6'] as const;

/** An object as the index reads it. */
export interface IndexedObject {
  readonly type: string;
  readonly key: string;
  readonly text: string;
}

/** What expansions and prefix lists need of one source. */
export interface SourceIndex {
  readonly routes: Pick<RouteTable, 'of' | 'size'>;
  /** Number of routes that ROAs make invalid: they are in no list. */
  readonly hidden: number;
  /** Number of sets. */
  readonly sets: number;
  /** The set with a name, in any letter case. */
  set(type: ExpandableType, name: string): SetContents | undefined;
  /** The members that name a set in `member-of` and have one of these mntners, in lower case. */
  joined(name: string, maintainers: readonly string[] | 'any'): string[];
  /** Adds or replaces an object. */
  put(object: IndexedObject): void;
  /** Removes an object, if it is there. */
  remove(type: string, key: string): void;
  /**
   * Hides and shows routes by the ROAs of now. `pause` runs after some of them, to let other work go first; it may throw
   * to end this.
   */
  judge(pause: () => Promise<unknown>): Promise<void>;
}

/** Whether ROAs make a route invalid. */
export type IsInvalid = (origin: number, family: Family, prefix: Uint32Array) => boolean;

/** An object that names sets in `member-of`. */
interface Joiner {
  /** As it would be written in `members`. */
  readonly member: string;
  /** Names of the sets, in lower case. */
  readonly sets: readonly string[];
  /** Lower case. */
  readonly maintainers: readonly string[];
}

/** Objects without it name no set. */
const namesSets = /member-of/i;

/** Makes the empty index of a source. */
export function createSourceIndex(isInvalid: IsInvalid): SourceIndex {
  const routes = createRouteTable();
  const hidden = createRouteTable();
  const sets = new Map<string, SetContents>();
  const joiners = new Map<string, Joiner>();
  /** By the name of the set, and by the object. */
  const joinersOf = new Map<string, Map<string, Joiner>>();
  const removeJoiner = (id: string) => {
    for (const set of joiners.get(id)?.sets ?? []) {
      joinersOf.get(set)?.delete(id);
      if (joinersOf.get(set)?.size === 0) joinersOf.delete(set);
    }
    joiners.delete(id);
  };
  const putJoiner = (id: string, joiner: Joiner | undefined) => {
    removeJoiner(id);
    if (joiner === undefined || joiner.sets.length === 0) return;
    joiners.set(id, joiner);
    for (const set of joiner.sets) {
      const known = joinersOf.get(set) ?? new Map<string, Joiner>();
      joinersOf.set(set, known.set(id, joiner));
    }
  };
  return {
    routes,
    get hidden() {
      return hidden.size;
    },
    get sets() {
      return sets.size;
    },
    set: (type, name) => (setTypeOf(name) === type ? sets.get(name.toLowerCase()) : undefined),
    joined(name, maintainers) {
      const found = [...(joinersOf.get(name.toLowerCase())?.values() ?? [])].filter(
        (joiner) => maintainers === 'any' || joiner.maintainers.some((one) => maintainers.includes(one)),
      );
      return [...new Set(found.map(({ member }) => member))].sort();
    },
    put({ type, key, text }) {
      const parse = () => {
        const parsed = parseObject(text);
        return parsed.ok ? parsed.object : undefined;
      };
      if (type === 'as-set' || type === 'route-set') {
        const object = parse();
        if (object !== undefined) sets.set(key.toLowerCase(), setContents(object));
        return;
      }
      const route = routeOfKey(type, key);
      if (route !== undefined) {
        const { origin, family, prefix } = route;
        const isHidden = isInvalid(origin, family, prefix);
        (isHidden ? hidden : routes).add(origin, family, prefix);
        (isHidden ? routes : hidden).remove(origin, family, prefix);
      }
      const object = namesSets.test(text) ? parse() : undefined;
      putJoiner(joinerId(type, key), object && joinerOf(object, route?.text ?? key));
    },
    remove(type, key) {
      sets.delete(key.toLowerCase());
      const route = routeOfKey(type, key);
      if (route !== undefined)
        for (const table of [routes, hidden]) table.remove(route.origin, route.family, route.prefix);
      removeJoiner(joinerId(type, key));
    },
    async judge(pause) {
      // First to hidden, so that no invalid route is shown longer than necessary.
      await moveRoutes(routes, hidden, isInvalid, pause);
      await moveRoutes(hidden, routes, (...route) => !isInvalid(...route), pause);
    },
  };
}

/** Routes that are judged before others get a turn. */
const routesPerTurn = 2_000;

async function moveRoutes(
  from: RouteTable,
  to: RouteTable,
  moves: IsInvalid,
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

function joinerOf(object: RpslObject, member: string): Joiner {
  return {
    member: parseAsNumber(member) === undefined ? member : member.toUpperCase(),
    sets: [...new Set(valuesOf(object, 'member-of').map((name) => name.toLowerCase()))],
    maintainers: valuesOf(object, 'mnt-by').map((name) => name.toLowerCase()),
  };
}

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
