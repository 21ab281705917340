import { error, type Place, warning } from '../message.js';

/** Errors in the structure of objects of any type. */
export const structureMessages = {
  mandatoryMissing: (name: string) => error('Mandatory attribute "%s" is missing', [name]),
  appearsMoreThanOnce: (name: string) => error('Attribute "%s" appears more than once', [name]),
  notValidForType: (place: Place) => error('"%s" is not valid for this object type', [place.attribute.name], place),
  unknownAttribute: (place: Place) => error('"%s" is not a known RPSL attribute', [place.attribute.name], place),
  deprecated: (name: string) =>
    warning('Deprecated attribute "%s". This attribute will be removed in the future.', [name]),
  /** The template contains the attribute's name: clients know one text per attribute. */
  deprecatedRemoved: (name: 'changed' | 'mnt-lower' | 'mnt-routes') =>
    warning(`Deprecated attribute "${name}". This attribute has been removed.`),
  cannotContainBoth: (type: string, one: string, other: string) =>
    error('A %s object cannot contain both %s and %s attributes', [type, one, other]),
  mustContainEither: (type: string, one: string, other: string) =>
    error('A %s object must contain either %s or %s attribute', [type, one, other]),
  objectTooLarge: (size: number, maximum: number) =>
    error('Ignored object with size %d, exceeds maximum object size %d.', [size, maximum]),
  tooManyValues: (count: number, maximum: number) =>
    error('Too many values and lines: %d, of which one request may hold %d', [count, maximum]),
  tooManyReferences: () => error('Too many references'),
  tooManyAccounts: (count: number, maximum: number) =>
    error('Too many accounts: %d, of which one request may name %d', [count, maximum]),
  filteredInput: () => error('Cannot submit filtered whois output for updates'),
  sourceComment: () => error('End of line comments not allowed on "source:" attribute'),
};
