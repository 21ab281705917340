import { type CoveringRoa, conflictOf, type RoaIndex } from '@cadastre/roa';
import { SettingsError } from '@cadastre/service';
import type { Pause } from '../turns.js';
import { aggregated, overlaps } from './aggregate.js';
import { type Family, mergeLists, PrefixList, wordsEach } from './prefix-list.js';
import { rangeAt } from './prefix-text.js';
import type { RouteTable } from './route-table.js';
import type { IsHidden } from './source-index.js';

/**
 * A ROA that makes a route invalid; undefined for a route that is not, and without ROAs. `FindConflict` of libs/roa
 * reads texts, which an index with millions of routes does not have, and prefers a ROA of the origin.
 */
export type FindConflict = (origin: number, family: Family, prefix: Uint32Array) => CoveringRoa | undefined;

/** Compares routes with the current payloads. */
export function conflictsIn(payloads: () => RoaIndex | undefined): FindConflict {
  return (origin, family, prefix) => {
    const known = payloads();
    if (known === undefined) return undefined;
    const length = prefix[wordsEach(family) - 1]!;
    const { first } = rangeAt(prefix, 0, family);
    return conflictOf({ length, origin }, known.covering({ family, first, length }))?.roa;
  };
}

/** Whether there is such a ROA. */
export function invalidBy(findConflict: FindConflict): IsHidden {
  return (origin, family, prefix) => findConflict(origin, family, prefix) !== undefined;
}

/** Which routes lists leave out because other sources are preferred (`CADASTRE_WHOIS_ROUTE_PREFERENCE`). */
export type RoutePreference = ReturnType<typeof createRoutePreference>;

type Routes = Pick<RouteTable, 'all'>;
type Ranges = Readonly<Record<Family, Uint32Array>>;

const none: Ranges = { 4: new Uint32Array(0), 6: new Uint32Array(0) };

/** Reads the setting: sources in upper case. Throws a SettingsError for an unknown one, and one that is there twice. */
export function readRoutePreference(names: readonly string[], known: readonly string[]): readonly string[] {
  const ranked = names.map((name) => name.toUpperCase());
  const unknown = ranked.filter((name) => !known.includes(name));
  const repeated = ranked.filter((name, at) => ranked.indexOf(name) !== at);
  if (unknown.length === 0 && repeated.length === 0) return ranked;
  throw new SettingsError([
    ...unknown.map((name) => `CADASTRE_WHOIS_ROUTE_PREFERENCE: unknown source ${name}`),
    ...repeated.map((name) => `CADASTRE_WHOIS_ROUTE_PREFERENCE: ${name} twice`),
  ]);
}

/** Makes it for sources, the most preferred one first. */
export function createRoutePreference(ranked: readonly string[]) {
  /** What the sources that are preferred to one cover: the fewest prefixes with the same addresses. */
  const preferred = new Map<string, Ranges>(ranked.slice(0, 1).map((name) => [name, none]));
  return {
    /** The sources with a preference, the most preferred one first. */
    ranked,
    /**
     * Reads the routes of the sources that are preferred to one; `prepare` these first. `routesOf` returns the visible
     * routes of a source, undefined while its index is not complete.
     */
    async prepare(source: string, routesOf: (name: string) => Routes | undefined, pause: Pause): Promise<void> {
      const above = ranked[ranked.indexOf(source) - 1];
      const known = above === undefined ? undefined : preferred.get(above);
      const routes = above === undefined ? undefined : routesOf(above);
      if (known === undefined || routes === undefined) return;
      const together = async (family: Family) => {
        const lists = Array.from(routes.all(family), ([, list]) => list);
        lists.push(PrefixList.of(family, known[family].slice()));
        return aggregated(await mergeLists(lists, family, pause), family, pause);
      };
      preferred.set(source, { 4: await together(4), 6: await together(6) });
    },
    /** Whether all sources that are preferred to one have been read. */
    isReady: (source: string): boolean => !ranked.includes(source) || preferred.has(source),
    /** Whether a route of a source overlaps one of a preferred source, as of the last `prepare`. */
    overlaps:
      (source: string): IsHidden =>
      (_origin, family, prefix) => {
        const ranges = preferred.get(source);
        return ranges !== undefined && overlaps(ranges[family], prefix, family);
      },
  };
}
