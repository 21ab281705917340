import { asciiLowerCase } from './letter-case.js';
import { addressTypes } from './types/address-types.js';
import { attributeRows } from './types/attribute-rows.js';
import { contactTypes } from './types/contact-types.js';
import type { AttributeName, AttributeType, ObjectType, ObjectTypeName, SyntaxId } from './types/model.js';
import { poemTypes } from './types/poem-types.js';
import { routingTypes } from './types/routing-types.js';
import { setTypes } from './types/set-types.js';
import { syntaxDescriptions } from './types/syntax-descriptions.js';

export type {
  AttributeName,
  AttributeType,
  AttributeUse,
  Cardinality,
  KeyKind,
  ObjectType,
  ObjectTypeName,
  Requirement,
  SyntaxId,
} from './types/model.js';
export { objectTypeNames } from './types/model.js';

const listAttributes: ReadonlySet<AttributeName> = new Set<AttributeName>([
  'form',
  'holes',
  'mbrs-by-ref',
  'members',
  'member-of',
  'mnt-by',
  'mnt-domains',
  'mnt-irt',
  'mnt-lower',
  'mnt-ref',
  'mp-members',
]);

/** All object types in display order. */
export const objectTypes: readonly ObjectType[] = [
  ...addressTypes,
  ...routingTypes,
  ...setTypes,
  ...contactTypes,
  ...poemTypes,
].sort((a, b) => a.displayOrder - b.displayOrder);

/** All attributes, in no particular order. */
export const attributeTypes: readonly AttributeType[] = attributeRows.map(
  ([name, shortName, syntax, references, meaning]) => ({
    name,
    shortName,
    syntax,
    list: listAttributes.has(name),
    references,
    meaning,
  }),
);

/** Every value syntax with its description. */
export const syntaxes: readonly { readonly id: SyntaxId; readonly description: string }[] = Object.entries(
  syntaxDescriptions,
).map(([id, description]) => ({ id: id as SyntaxId, description }));

const objectTypesByName = new Map(objectTypes.flatMap((t) => [[t.name as string, t] as const, [t.shortName, t]]));
const attributeTypesByName = new Map(attributeTypes.flatMap(namesOf));

function namesOf(type: AttributeType): (readonly [string, AttributeType])[] {
  const names = [type.name, type.shortName];
  if (type.shortName.length === 2) names.push(`*${type.shortName}`);
  return names.map((name) => [name, type] as const);
}

/** The object type of a long or short name in any letter case. */
export function objectType(name: string): ObjectType | undefined {
  return objectTypesByName.get(name) ?? objectTypesByName.get(asciiLowerCase(name));
}

/** The attribute of a long name, short name or `*` form in any letter case. */
export function attributeType(name: string): AttributeType | undefined {
  return attributeTypesByName.get(name) ?? attributeTypesByName.get(asciiLowerCase(name));
}

/** True for the exact (lower case, long) name of an object type. */
export function isObjectTypeName(name: string): name is ObjectTypeName {
  return objectTypesByName.get(name)?.name === name;
}

/** A type with its article, for sentences: "an organisation", "a role". */
export function withArticle(type: ObjectTypeName): string {
  return `${/^[aio]/.test(type) ? 'an' : 'a'} ${type}`;
}
