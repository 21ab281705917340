export { attributeText, printBrief, printObject } from './layout.js';
export { formatMessage, type Message, type Place, type Severity, sortMessages } from './message.js';
export { messages } from './messages.js';
export { type Attribute, allOf, firstOf, hasAttribute, type RpslObject, valueOf, valuesOf } from './object.js';
export * from './pending.js';
export {
  type AddressRange,
  type AsRange,
  contains,
  formatIpv4,
  formatIpv4Range,
  formatIpv6,
  formatPrefix,
  formatRange,
  overlaps,
  parseAsBlock,
  parseAsNumber,
  parseIpv4,
  parseIpv4Prefix,
  parseIpv4Range,
  parseIpv6,
  parseIpv6Prefix,
  parseResource,
  prefixLength,
  type Resource,
  rangeOf,
  reverseDomainRange,
} from './resource.js';
export {
  type AttributeName,
  type AttributeType,
  type AttributeUse,
  attributeType,
  attributeTypes,
  type Cardinality,
  isObjectTypeName,
  type KeyKind,
  type ObjectType,
  type ObjectTypeName,
  objectType,
  objectTypeNames,
  objectTypes,
  type Requirement,
  type SyntaxId,
  syntaxes,
} from './types.js';
export { cleanComment, cleanValue, listValues, sameAttribute, sameObject } from './value.js';
