import { searchable } from '@cadastre/query/browser';
import { attributeTypes, type ObjectTypeName } from '@cadastre/rpsl';

/** All attributes by which an inverse query finds objects, in alphabetical order. */
export const inverseAttributes: readonly string[] = Object.keys(searchable).sort();

/** The attributes by which other objects refer to an object of a type. */
export function referringAttributes(type: string): string[] {
  if (type === 'aut-num') return ['origin', 'local-as'];
  if (type === 'key-cert') return ['auth'];
  return attributeTypes
    .filter(({ name, references }) => references.includes(type as ObjectTypeName) && name in searchable)
    .map(({ name }) => name);
}
