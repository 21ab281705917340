import { type ObjectTypeName, objectType, parseAsNumber, parseKey } from '@cadastre/rpsl';

/**
 * The parent of a hierarchical set: the name before its last colon, and the type that the form of that name implies.
 */
interface SetParent {
  readonly type: ObjectTypeName;
  /** Folded. */
  readonly key: string;
  readonly shown: string;
}

/** The parent of a set's name; undefined for flat names and other types. */
export function setParent(type: ObjectTypeName, name: string): SetParent | undefined {
  const colon = name.lastIndexOf(':');
  if (colon < 0 || !objectType(type)!.isSet) {
    return undefined;
  }
  const shown = name.slice(0, colon);
  return { type: parentType(type, shown), key: shown.toLowerCase(), shown };
}

function parentType(type: ObjectTypeName, parent: string): ObjectTypeName {
  if (parseAsNumber(parent) !== undefined) {
    return 'aut-num';
  }
  return parseKey('as-set', parent) === undefined ? type : 'as-set';
}
