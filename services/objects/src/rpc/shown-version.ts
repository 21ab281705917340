import { filterVersion, printObject, type RpslObject, shownKey } from '@cadastre/rpsl';
import { parseStored, type StoredText } from '../store/parse-stored.js';

/** What a reader sees of a stored object. */
export interface ShownText {
  /** The primary key as the object spells it. */
  readonly key: string;
  readonly text: string;
}

/** What a reader sees of an object of which it may see a part. */
export function shownText(object: RpslObject, shown: RpslObject, stored: StoredText): ShownText {
  return { key: shownKey(object, stored.key), text: shown === object ? stored.text : printObject(shown) };
}

/** Removes what versions do not show. Throws when the text cannot be read. */
export function showVersion(stored: StoredText): ShownText {
  const object = parseStored(stored);
  return shownText(object, filterVersion(object), stored);
}
