import type { RegistryObject } from '@cadastre/proto/registry';
import { filterObject, printObject, shownKey } from '@cadastre/rpsl';
import { type ContactTypes, handlesOf } from './contacts.js';
import type { Found } from './found.js';

/** An object in a response: always without `auth`, without e-mail attributes unless `unfiltered`. */
export function shownObject(one: Found, contacts: ContactTypes, unfiltered: boolean): RegistryObject {
  const { revision, serial, created, modified } = one.stored;
  return {
    ...briefObject(one, unfiltered),
    revision,
    serial,
    created,
    lastModified: modified,
    contacts: [...new Set(handlesOf(one.object))].flatMap((nicHdl) => {
      const type = contacts.get(nicHdl);
      return type ? [{ nicHdl, type }] : [];
    }),
  };
}

/** The same without what a brief result leaves out. */
export function briefObject(one: Found, unfiltered: boolean): RegistryObject {
  const { stored, object } = one;
  return {
    source: stored.source,
    type: stored.type,
    key: shownKey(object, stored.key),
    text: one.leftOut ? '' : shownText(one, unfiltered),
    revision: 0,
    serial: 0n,
    contacts: [],
    tags: [...stored.tags],
  };
}

function shownText({ stored, object }: Found, unfiltered: boolean): string {
  const filtered = filterObject(object, { unfiltered });
  return filtered === object ? stored.text : printObject(filtered);
}
