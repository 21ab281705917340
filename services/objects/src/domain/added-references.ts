import { type Reference, type RpslObject, referencesOf } from '@cadastre/rpsl';

/** References that need the target's consent by its `mnt-ref`. */
const protectedAttributes: ReadonlySet<string> = new Set([
  'abuse-c',
  'admin-c',
  'author',
  'mnt-by',
  'mnt-domains',
  'mnt-irt',
  'mnt-lower',
  'mnt-ref',
  'mnt-routes',
  'org',
  'ping-hdl',
  'tech-c',
  'zone-c',
]);

/** The protected references of an object that its stored state does not have, by attribute. */
export function addedReferences(object: RpslObject, stored: RpslObject | undefined): Reference[] {
  const identity = ({ attribute, key }: Reference) => `${attribute} ${key}`;
  const old = new Set(stored === undefined ? [] : referencesOf(stored).map(identity));
  return referencesOf(object).filter(
    (reference) => protectedAttributes.has(reference.attribute) && !old.has(identity(reference)),
  );
}
