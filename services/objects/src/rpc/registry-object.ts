import type { Contact, RegistryObject } from '@cadastre/proto/registry';
import { parseObject, primaryKey, printObject, type RpslObject } from '@cadastre/rpsl';
import type { Source } from '../store/sources.js';
import type { StoredObject } from '../store/stored-object.js';

/** What becomes of an object before it is shown. */
export type Filter = (object: RpslObject, stored: StoredObject) => RpslObject;

/** Shows everything (VIEW_COMPLETE). */
export const complete: Filter = (object) => object;

/** The object behind a stored text. What is stored was parsed before; if it does not parse, something is broken. */
export function parseStored(stored: StoredObject): RpslObject {
  const parsed = parseObject(stored.text);
  if (!parsed.ok) throw new Error(`stored object ${stored.type} ${stored.key} does not parse`);
  return parsed.object;
}

/** A stored object as callers get it; `parsed` is the object behind its text, where that is at hand. */
export function registryObject(
  source: Source,
  stored: StoredObject,
  filter: Filter = complete,
  { contacts = [], parsed: object = parseStored(stored) }: { contacts?: Contact[]; parsed?: RpslObject } = {},
): RegistryObject {
  const shown = filter(object, stored);
  return {
    source: source.name,
    type: stored.type,
    key: shownKey(object, stored),
    text: shown === object ? stored.text : printObject(shown),
    revision: stored.revision,
    serial: stored.serial,
    created: stored.created,
    lastModified: stored.modified,
    contacts,
    tags: [...stored.tags],
  };
}

/** The primary key as it stands in the object. */
export function shownKey(object: RpslObject, stored: StoredObject): string {
  const key = primaryKey(object);
  return 'shown' in key ? key.shown : stored.key;
}
