import type { NamedObject } from '@cadastre/proto/search';
import { shownKey } from '@cadastre/rpsl';
import type { Found } from '../run/found.js';
import { titleOf } from '../words/object-words.js';

/** An object by its key and its title, in the form of the contract. */
export function namedObject({ stored, object }: Found): NamedObject {
  const { source, type } = stored;
  return { source, type, key: shownKey(object, stored.key), title: titleOf(object) ?? '' };
}
