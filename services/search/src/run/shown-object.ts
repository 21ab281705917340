import type { RegistryObject } from '@cadastre/proto/registry';
import { filterObject, printObject } from '@cadastre/rpsl';
import type { Shown } from '../index-port.js';
import type { ContactTypes } from './contacts.js';
import { type Found, shownOf } from './found.js';

/** An object in a response: always without `auth`, without e-mail attributes unless `unfiltered`. */
export function shownObject(one: Found, contacts: ContactTypes, unfiltered: boolean): RegistryObject {
  const { revision, serial, created, modified } = one.stored;
  const shown = shownOf(one);
  return {
    ...brief(one, shown, unfiltered),
    revision,
    serial,
    created,
    lastModified: modified,
    contacts: shown.handles.flatMap((nicHdl) => {
      const type = contacts.get(nicHdl);
      return type ? [{ nicHdl, type }] : [];
    }),
  };
}

/** The same without what a brief result omits. */
export function briefObject(one: Found, unfiltered: boolean): RegistryObject {
  return brief(one, shownOf(one), unfiltered);
}

function brief(one: Found, shown: Shown, unfiltered: boolean): RegistryObject {
  const { source, type, tags } = one.stored;
  return {
    source,
    type,
    key: shown.key,
    text: one.leftOut ? '' : shownText(one, shown, unfiltered),
    revision: 0,
    serial: 0n,
    contacts: [],
    tags: [...tags],
  };
}

function shownText(one: Found, shown: Shown, unfiltered: boolean): string {
  const { text } = one.stored;
  // What every reader sees is all of it, or a part is hidden from every reader.
  if (shown.text === undefined) return text;
  if (!unfiltered) return shown.text;
  const filtered = filterObject(one.object, { unfiltered });
  return filtered === one.object ? text : printObject(filtered);
}
