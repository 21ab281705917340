import type { Contact, RegistryObject } from '@cadastre/proto/registry';
import { filterObject, primaryKey, printObject } from '@cadastre/rpsl';
import type { Found } from './found.js';

/** An object in a response: always without `auth`, without e-mail attributes unless `unfiltered`. */
export function shownObject({ stored, object }: Found, contacts: Contact[], unfiltered: boolean): RegistryObject {
  const filtered = filterObject(object, { unfiltered });
  const key = primaryKey(object);
  return {
    source: stored.source,
    type: stored.type,
    key: 'shown' in key ? key.shown : stored.key,
    text: filtered === object ? stored.text : printObject(filtered),
    revision: stored.revision,
    serial: stored.serial,
    created: stored.created,
    lastModified: stored.modified,
    contacts,
    tags: [...stored.tags],
  };
}
