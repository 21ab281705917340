import { RelatedObjects } from '@cadastre/proto/objects';
import type { RegistryObject } from '@cadastre/proto/registry';
import { firstValueOf, type ObjectTypeName, printObject, type RpslObject, shownKey } from '@cadastre/rpsl';
import { loadWithin } from '../store/objects.js';
import type { Source } from '../store/sources.js';
import type { Db, ObjectId, StoredObject } from '../store/stored-object.js';
import { keyIn } from './requested.js';

/** Maximum bytes of text of related objects. */
const maxTextBytes = 2 * 1024 * 1024;

/** A stored object, as the contract has it and parsed. */
export interface ReadObject {
  readonly shown: RegistryObject;
  readonly parsed: RpslObject;
}

/** The first attribute of an object, which has its type, and those with these names. */
export function excerptOf(
  source: Source,
  stored: StoredObject,
  object: RpslObject,
  names: ReadonlySet<string>,
): RegistryObject {
  const attributes = object.attributes.filter(({ name }, at) => at === 0 || names.has(name));
  const text = printObject({ type: object.type, attributes });
  return { ...withoutText(source, stored), key: shownKey(object, stored.key), text };
}

/** Source, type and key only. */
export function withoutText(source: Source, { type, key }: Pick<ObjectId, 'type' | 'key'>): RegistryObject {
  return { source: source.name, type, key, text: '', revision: 0, serial: 0n, contacts: [], tags: [] };
}

/** The types of the objects that an attribute names. */
const targets = { org: 'organisation', 'abuse-c': 'role' } as const satisfies Record<string, ObjectTypeName>;

/** The attributes to follow, first from the objects themselves, then from the objects found so far. */
const steps: { readonly [related in RelatedObjects]?: readonly (readonly (keyof typeof targets)[])[] } = {
  [RelatedObjects.RELATED_OBJECTS_ORGANISATIONS]: [['org']],
  [RelatedObjects.RELATED_OBJECTS_ABUSE_CONTACTS]: [['org', 'abuse-c'], ['abuse-c']],
};

/** Loads what the objects refer to, each object once: one statement for each step. */
export async function loadRelated(
  db: Db,
  source: Source,
  objects: readonly RpslObject[],
  related: RelatedObjects,
  read: (stored: StoredObject) => ReadObject | undefined,
): Promise<RegistryObject[]> {
  const requested = new Set<string>();
  const shown: RegistryObject[] = [];
  let from = objects;
  let bytesLeft = maxTextBytes;
  for (const attributes of steps[related] ?? []) {
    const ids = referredIds(source, from, attributes).filter((id) => isNew(requested, `${id.type} ${id.key}`));
    const loaded = await loadWithin(db, ids, bytesLeft);
    const found = loaded.flatMap((stored, at) => {
      if (stored === 'later') shown.push(withoutText(source, ids[at]!));
      if (stored === undefined || stored === 'later' || stored.deleted) return [];
      bytesLeft -= stored.text.length;
      return read(stored) ?? [];
    });
    for (const one of found) shown.push(one.shown);
    from = found.map(({ parsed }) => parsed);
  }
  return shown;
}

/** The objects that the first value of each attribute names. */
function referredIds(
  source: Source,
  objects: readonly RpslObject[],
  attributes: readonly (keyof typeof targets)[],
): ObjectId[] {
  return objects.flatMap((object) =>
    attributes.flatMap((attribute) => {
      const type = targets[attribute];
      const key = keyIn(source, type, firstValueOf(object, attribute) ?? '');
      return key === undefined ? [] : [{ sourceId: source.id, type, key: key.folded }];
    }),
  );
}

function isNew(seen: Set<string>, name: string): boolean {
  return !seen.has(name) && Boolean(seen.add(name));
}
