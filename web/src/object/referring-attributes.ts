import { attributeTypes, type ObjectTypeName, objectTypes } from '@cadastre/rpsl';

/** The attributes that inverse queries support. */
const inverseKeys: ReadonlySet<string> = new Set(
  objectTypes.flatMap(({ attributes }) =>
    attributes.filter(({ keys }) => keys.includes('inverse')).map(({ name }) => name),
  ),
);

/** All attributes by which an inverse query finds objects, in alphabetical order. */
export const inverseAttributes: readonly string[] = [...inverseKeys].sort();

/** The attributes by which other objects refer to an object of a type. */
export function referringAttributes(type: string): string[] {
  if (type === 'aut-num') return ['origin', 'local-as'];
  if (type === 'key-cert') return ['auth'];
  return attributeTypes
    .filter(({ name, references }) => references.includes(type as ObjectTypeName) && inverseKeys.has(name))
    .map(({ name }) => name);
}
