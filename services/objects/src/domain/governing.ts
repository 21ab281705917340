import {
  contains,
  type ObjectTypeName,
  objectType,
  parseAsNumber,
  parseKey,
  primaryKey,
  type RpslObject,
} from '@cadastre/rpsl';
import type { Change } from './change.js';
import { objectName } from './known-objects.js';
import { bySize, numbers, size } from './numbers.js';

/** The types whose maintainers decide on new objects of a type in their part of the number space. */
export const governingTypes: { readonly [type in ObjectTypeName]?: readonly ObjectTypeName[] } = {
  inetnum: ['inetnum'],
  inet6num: ['inet6num'],
  'aut-num': ['as-block'],
  route: ['route', 'inetnum'],
  route6: ['route6', 'inet6num'],
  domain: ['inetnum', 'inet6num'],
};

/**
 * The objects that govern a change, smallest first: stored ones in their stored state, except those that the same write
 * deletes, and those that it creates. Of its own type only larger new ones count: two new routes of one prefix do not
 * authorise each other.
 */
export function governingAfter(change: Change, stored: readonly RpslObject[], others: readonly Change[]): RpslObject[] {
  const types = change.action === 'create' ? (governingTypes[change.object.type] ?? []) : [];
  const gone = new Set(
    others.filter(({ action }) => action === 'delete').map(({ object, key }) => objectName(object.type, key.folded)),
  );
  const remaining = stored.filter((object) => !gone.has(nameOf(object)));
  const created = others
    .filter((other) => other.action === 'create' && other.stored === undefined && types.includes(other.object.type))
    .map((other) => other.object)
    .filter((object) => governs(object, change.object));
  return [...remaining, ...created].sort(bySize);
}

/** Of the objects of these types, sorted by size, those of the smallest size. */
export function nearest(governing: readonly RpslObject[], ...types: readonly ObjectTypeName[]): RpslObject[] {
  const candidates = governing.filter((object) => types.includes(object.type));
  return candidates.filter((object) => size(object) === size(candidates[0]!));
}

function governs(outer: RpslObject, inner: RpslObject): boolean {
  const [theirs, ours] = [numbers(outer), numbers(inner)];
  const encloses = theirs !== undefined && ours !== undefined && contains(theirs, ours);
  return encloses && (outer.type !== inner.type || size(outer) > size(inner));
}

function nameOf(object: RpslObject): string {
  const key = primaryKey(object);
  return objectName(object.type, 'folded' in key ? key.folded : '');
}

/**
 * The parent of a hierarchical set: the name before its last colon, and the type that the form of that name implies.
 */
interface SetParent {
  readonly type: ObjectTypeName;
  /** Folded. */
  readonly key: string;
  readonly shown: string;
}

/** The parent of a set's name; undefined for flat names and other types. */
export function setParent(type: ObjectTypeName, name: string): SetParent | undefined {
  const colon = name.lastIndexOf(':');
  if (colon < 0 || !objectType(type)!.isSet) return undefined;
  const shown = name.slice(0, colon);
  return { type: parentType(type, shown), key: shown.toLowerCase(), shown };
}

function parentType(type: ObjectTypeName, parent: string): ObjectTypeName {
  if (parseAsNumber(parent) !== undefined) return 'aut-num';
  return parseKey('as-set', parent) === undefined ? type : 'as-set';
}
