import type { RpslObject } from './object.js';
import type { ObjectTypeName } from './types.js';
import { firstValueOf } from './value.js';

/** Types whose objects may be about resources of other regions, those of the non-authoritative part; in display order. */
export const nonAuthoritativeTypes: readonly ObjectTypeName[] = ['aut-num', 'as-set', 'route', 'route6'];

const regionalTypes: ReadonlySet<string> = new Set(nonAuthoritativeTypes);

/** The `source` of main-source objects about resources of other regions. Upper case. */
export function nonAuthoritativeName(main: string): string {
  return `${main.toUpperCase()}-NONAUTH`;
}

/** The name of the main source as a mirror of itself, without its non-authoritative part. Upper case. */
export function ownMirrorName(main: string): string {
  return `${main.toUpperCase()}-GRS`;
}

/** Whether an object of the main source belongs to its non-authoritative part. */
export function isNonAuthoritative(o: RpslObject, main: string): boolean {
  return regionalTypes.has(o.type) && firstValueOf(o, 'source')?.toUpperCase() === nonAuthoritativeName(main);
}
