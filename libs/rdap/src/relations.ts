import { type AddressRange, firstValueOf, parseReadable, type RpslObject, rangeOf } from '@cadastre/rpsl';
import { isAdministrative, type RdapPolicy, statusOf } from './policy.js';
import type { Relation, StoredText } from './registry.js';

/** An object around a range, with the next one on the path to the range if there is one. */
interface Enclosing {
  readonly range: AddressRange;
  readonly object: RpslObject;
  readonly child: RpslObject | undefined;
}

/** The objects around a range, the smallest first, without the one that has exactly this range. */
export function strictlyAround(lineage: readonly Pick<StoredText, 'text'>[], range: AddressRange): Enclosing[] {
  const objects = lineage.flatMap(({ text }) => {
    const object = parseReadable(text);
    const own = object && rangeOf(object);
    return own && 'family' in own ? [{ range: own, object }] : [];
  });
  const around = objects.map((one, at) => ({ ...one, child: objects[at - 1]?.object }));
  return around.filter((one) => one.range.first !== range.first || one.range.last !== range.last);
}

/** Chooses one of the objects around a range. `isActive`: of those that are active alone. */
type Choose = (
  policy: RdapPolicy,
  around: readonly Enclosing[],
  options: { isActive: boolean },
) => Enclosing | undefined;

/** The nearest one, unless it only divides the space; with `isActive` the nearest that is active and does not. */
export const nearestOf: Choose = (policy, around, { isActive }) => {
  if (isActive) return around.find((one) => isHolder(policy, one) && isActiveIn(policy, one.object));
  const [nearest] = around;
  return nearest && isHolder(policy, nearest) ? nearest : undefined;
};

/** The first one from the root that does not only divide the space. */
export const topOf: Choose = (policy, around, { isActive }) =>
  around.findLast((one) => isHolder(policy, one) && (!isActive || isActiveIn(policy, one.object)));

/** Whether an object does more than to divide the space. */
function isHolder(policy: RdapPolicy, { object, child }: Pick<Enclosing, 'object' | 'child'>): boolean {
  const statusIn = (one: RpslObject) => ({ type: one.type, status: firstValueOf(one, 'status') ?? '' });
  return !isAdministrative(policy, statusIn(object), child && statusIn(child));
}

/** Whether an object is active, as its document says. Zones have no status. */
function isActiveIn(policy: RdapPolicy, object: RpslObject): boolean {
  const range = object.type === 'domain' ? undefined : rangeOf(object);
  return range === undefined || statusOf(policy, range) === 'active';
}

/**
 * The relations of an object that answer, as far as the object and the next one around it show: there may be more to
 * the top when that one only divides the space.
 */
export function relationsOf(
  policy: RdapPolicy,
  found: Pick<StoredText, 'text'> & { readonly isHolding?: boolean },
  parent: Pick<StoredText, 'text'> | null | undefined,
): Relation[] {
  const below: Relation[] = found.isHolding === true ? ['rdap-down', 'rdap-bottom'] : [];
  const object = parseReadable(parent?.text ?? '');
  if (object === undefined || !isHolder(policy, { object, child: parseReadable(found.text) })) return below;
  if (!isActiveIn(policy, object)) return ['rdap-up', 'rdap-top', ...below];
  return ['rdap-up', 'rdap-up rdap-active', 'rdap-top', 'rdap-top rdap-active', ...below];
}
