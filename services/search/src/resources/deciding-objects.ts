import type { Range } from '@cadastre/query';
import {
  abuseRoleReference,
  foldKey,
  type ObjectName,
  type ObjectTypeName,
  organisationReference,
  type Registered,
} from '@cadastre/rpsl';
import { type IndexedObject, type ObjectId, objectIdText, type StateReads, type TypedKey } from '../index-port.js';
import { found, shownOf } from '../run/found.js';

/**
 * Maximum characters that are read to decide about the objects of a page, or about the resources of a request, besides
 * one page of the index. The objects service finds the rest: it reads only parts of objects.
 */
const maxCharacters = 512 * 1024;

export type DecidingObjects = ReturnType<typeof decidingObjects>;

/** Reads the objects that decide about resources of a source, up to `maxCharacters`. */
export function decidingObjects(reads: StateReads) {
  const known = new Map<string, Registered | undefined>();
  let left = maxCharacters;
  /** Undefined if that is too much. */
  const add = (stored: IndexedObject): Registered | undefined => {
    left -= stored.text.length;
    const before = known.get(objectIdText(stored));
    if (before !== undefined) return before;
    const one = left < 0 ? undefined : found(stored);
    if (one === undefined) return undefined;
    const { source, type } = stored;
    const registered: Registered = {
      id: { source, type, key: shownOf(one).key },
      // Parsed when a rule reads it.
      get object() {
        return one.object;
      },
    };
    known.set(objectIdText(stored), registered);
    return registered;
  };
  /** Reads what the references name; false if that is too much. */
  const load = (references: readonly ObjectName[]): boolean => {
    let ids: readonly TypedKey[] = references.map(folded).filter((id) => {
      const isNew = !known.has(objectIdText(id));
      if (isNew) known.set(objectIdText(id), undefined);
      return isNew;
    });
    while (ids.length > 0) {
      const { objects, later } = reads.byKey(ids);
      if (!objects.every(add)) return false;
      ids = later;
    }
    return true;
  };
  const find = (reference: ObjectName) => known.get(objectIdText(folded(reference)));
  return {
    find,
    isFull: () => left < 0,
    /**
     * The objects of a type that enclose a range or equal it, the nearest first, except the one with a key; undefined if
     * that is too much.
     */
    enclosing(type: ObjectTypeName, range: Range, except?: string): Registered[] | undefined {
      const around = reads.enclosing(type, range)?.filter(({ key }) => key !== except);
      const all = around?.map(add).reverse();
      return all?.every((one) => one !== undefined) ? all : undefined;
    },
    /** The object with a name, if there is one; undefined if that is too much. */
    named(name: ObjectName): Registered[] | undefined {
      if (!load([name])) return undefined;
      const one = find(name);
      return one ? [one] : [];
    },
    /** Reads the organisations and roles that decide about the contacts of objects; false if that is too much. */
    loadNamed(objects: readonly Registered[]): boolean {
      const organisations = objects.flatMap((one) => organisationReference(one) ?? []);
      const roles = objects.flatMap((one) => abuseRoleReference(one) ?? []);
      if (!load([...organisations, ...roles])) return false;
      return load(organisations.flatMap(find).flatMap((one) => (one && abuseRoleReference(one)) ?? []));
    },
  };
}

/** A reference, which is to the object's own source, as an identity of the index. */
function folded({ source, type, key }: ObjectName): ObjectId {
  const name = type as ObjectTypeName;
  return { source, type: name, key: foldKey(name, key) };
}
