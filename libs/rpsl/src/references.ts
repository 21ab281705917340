import { foldKey } from './key.js';
import type { RpslObject } from './object.js';
import { checkSyntax } from './syntax/index.js';
import { attributeType, attributeTypes, type ObjectTypeName } from './types.js';
import { listValues } from './value.js';

/** A value that names another object, which must exist. */
export interface Reference {
  readonly attribute: string;
  readonly attributeIndex: number;
  /** The clean value; for `mnt-routes` the whole value, of which only the name refers. */
  readonly value: string;
  /** Folded key of the target. */
  readonly key: string;
  /** Possible types of the target; the first that exists counts. */
  readonly types: readonly ObjectTypeName[];
}

/** The target of a value, by its form alone. `contact`: a person or role, which only the database distinguishes. */
export type Link = { readonly type: ObjectTypeName; readonly key: string } | 'contact' | undefined;

const targetTypes: ReadonlyMap<string, readonly ObjectTypeName[]> = new Map(
  attributeTypes.filter((a) => a.references.length > 0).map((a) => [a.name, a.references]),
);

/** The kind of set that objects of a type may join. */
const setTypeOfMember: { readonly [type in ObjectTypeName]?: readonly ['as-set' | 'route-set' | 'rtr-set'] } = {
  'aut-num': ['as-set'],
  route: ['route-set'],
  route6: ['route-set'],
  'inet-rtr': ['rtr-set'],
};

/** Types of set members, which are linked but need not exist; the first whose syntax matches. */
const memberTypes = ['aut-num', 'as-set', 'route-set', 'rtr-set'] as const;

/**
 * Every reference of the object that must have a target, in object order, including references to itself and to AUTO
 * keys. Members, origins and policy are not in the list, because they may name missing objects.
 */
export function referencesOf(o: RpslObject): Reference[] {
  const references: Reference[] = [];
  o.attributes.forEach((attribute, attributeIndex) => {
    const types = targetTypes.get(attribute.name);
    if (types === undefined) return;
    const allowed = attribute.name === 'member-of' ? (setTypeOfMember[o.type] ?? types) : types;
    for (const value of listValues(attribute)) {
      const name = referredName(attribute.name, value);
      if (name !== undefined) {
        references.push({
          attribute: attribute.name,
          attributeIndex,
          value,
          key: foldKey(allowed[0]!, name),
          types: allowed,
        });
      }
    }
  });
  return references;
}

/** The target of a clean value (one element of a list) of an attribute; `key` is as in the value. */
export function linkOf(attributeName: string, value: string, type: ObjectTypeName): Link {
  const name = attributeType(attributeName)?.name ?? attributeName;
  if (name === 'members' || name === 'mp-members') return linkByForm(value, memberTypes);
  const types = targetTypes.get(name);
  const key = types && referredName(name, value);
  if (types === undefined || key === undefined) return undefined;
  if (name === 'member-of') return linkByForm(value, setTypeOfMember[type] ?? ['as-set', 'route-set', 'rtr-set']);
  return types.length > 1 ? 'contact' : { type: types[0]!, key };
}

function linkByForm(value: string, types: readonly ObjectTypeName[]): Link {
  const type = types.find((candidate) => checkSyntax(candidate, candidate, value));
  return type && { type, key: value };
}

/** The part of a value that is a key; undefined for values that refer to nothing. */
function referredName(attribute: string, value: string): string | undefined {
  if (value === '') return undefined;
  switch (attribute) {
    case 'auth':
      return /^(?:pgpkey|x509|auto)-/i.test(value) ? value : undefined;
    case 'mbrs-by-ref':
      return value.toLowerCase() === 'any' ? undefined : value;
    case 'mnt-routes':
      return /^[^ {]+/.exec(value)?.[0];
    default:
      return value;
  }
}
