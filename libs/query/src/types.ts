import { type ObjectType, type ObjectTypeName, objectType } from '@cadastre/rpsl';
import { type Outcome, ok, refused } from './outcome.js';
import { queryMessages } from './query-messages.js';

/** The requested types; default: all. Ignores empty items of a list, but an empty name alone is an error. */
export function readTypes(names: readonly string[]): Outcome<ReadonlySet<ObjectTypeName>> {
  const types = new Set<ObjectTypeName>();
  if (names.length > 0 && names.every((name) => name.trim() === '')) return refused(queryMessages.unknownType(''));
  for (const name of names.flatMap((value) => value.split(',')).map((value) => value.trim())) {
    if (name === '') continue;
    const type = typeNamed(name);
    if (type === undefined) return refused(queryMessages.unknownType(name));
    types.add(type.name);
  }
  return ok(types);
}

/** A type by its long or short name (`route`, `rt`, `*rt`), in any letter case. */
export function typeNamed(name: string): ObjectType | undefined {
  return objectType(/^\*..$/.test(name) ? name.slice(1) : name);
}
