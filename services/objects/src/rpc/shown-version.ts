import { filterVersion, printObject, type RpslObject, shownKey } from '@cadastre/rpsl';
import { parseStored, type StoredText } from '../store/stored-object.js';

/** The visible part of a stored object. */
export interface ShownText {
  /** The primary key as the object spells it. */
  readonly key: string;
  readonly text: string;
}

/** The visible part of an object, filtered. */
export function shownText(object: RpslObject, shown: RpslObject, stored: StoredText): ShownText {
  return { key: shownKey(object, stored.key), text: shown === object ? stored.text : printObject(shown) };
}

/** Removes what versions never show. Throws when the text cannot be read. */
export function showVersion(stored: StoredText): ShownText {
  const object = parseStored(stored);
  return shownText(object, filterVersion(object), stored);
}
