import { type RpslObject, valuesOf } from '@cadastre/rpsl';

/** Whether a set's `mbrs-by-ref` lets the object in: it says ANY or names one of the object's maintainers. */
export function accepts(set: RpslObject, member: RpslObject): boolean {
  const maintainers = folded(member, 'mnt-by');
  return folded(set, 'mbrs-by-ref').some((name) => name === 'any' || maintainers.includes(name));
}

/** Whose members the set takes, in lower case. */
export function membersByReference(set: RpslObject): string[] {
  return folded(set, 'mbrs-by-ref').sort();
}

function folded(object: RpslObject, attribute: string): string[] {
  return valuesOf(object, attribute).map((value) => value.toLowerCase());
}
