import { type AttributeName, attributeType, type ObjectTypeName, objectTypeNames, objectTypes } from '@cadastre/rpsl';

/** How to compare the values of a searchable attribute with the search term. */
type Comparison =
  /** Names an object of one of these types, which must exist. */
  | { readonly kind: 'reference'; readonly types: readonly ObjectTypeName[] }
  /** Folded value equals term. */
  | { readonly kind: 'equal' }
  /** The leading addresses of both are equal; ignores what follows. */
  | { readonly kind: 'interface' }
  /** Host name starts with term. */
  | { readonly kind: 'host' };

/**
 * What queries compare otherwise: abuse contacts as all contacts, and credentials by their text, because no object need
 * exist for them.
 */
const ownComparisons: { readonly [name in AttributeName]?: Comparison } = {
  'abuse-c': { kind: 'reference', types: ['role', 'person'] },
  auth: { kind: 'equal' },
  ifaddr: { kind: 'interface' },
  nserver: { kind: 'host' },
};

/** The attributes that an inverse lookup may name: the inverse keys of the object types. */
export const searchable: { readonly [name in AttributeName]?: Comparison } = Object.fromEntries(
  objectTypes
    .flatMap(({ attributes }) => attributes)
    .filter(({ keys }) => keys.includes('inverse'))
    .map(({ name }) => [name, ownComparisons[name] ?? comparisonOf(name)]),
);

function comparisonOf(name: AttributeName): Comparison {
  const { references } = attributeType(name)!;
  const types = objectTypeNames.filter((type) => references.includes(type));
  return types.length > 0 ? { kind: 'reference', types } : { kind: 'equal' };
}
