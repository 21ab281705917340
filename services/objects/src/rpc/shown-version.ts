import { filterVersion, primaryKey, printObject, type RpslObject } from '@cadastre/rpsl';
import { contactHandles } from '../domain/contacts.js';
import { parseStored, type StoredText } from '../store/parse-stored.js';

/** What a reader sees of a stored object. */
export interface ShownText {
  /** The primary key as the object spells it. */
  readonly key: string;
  readonly text: string;
}

/** The primary key as the object spells it. */
export function shownKey(object: RpslObject, stored: Pick<StoredText, 'key'>): string {
  const key = primaryKey(object);
  return 'shown' in key ? key.shown : stored.key;
}

/** What a reader sees of an object of which it may see a part. */
export function shownText(object: RpslObject, shown: RpslObject, stored: StoredText): ShownText {
  return { key: shownKey(object, stored), text: shown === object ? stored.text : printObject(shown) };
}

/** What versions show of an object. */
export interface ShownVersion extends ShownText {
  /** The contacts that it names, in lower case. */
  readonly handles: readonly string[];
}

/** Removes what versions do not show. Throws when the text cannot be read. */
export function showVersion(stored: StoredText): ShownVersion {
  const object = parseStored(stored);
  const shown = filterVersion(object);
  return { ...shownText(object, shown, stored), handles: contactHandles(shown) };
}
