export * from './address-range.js';
export { parseAsBlock, parseAsNumber } from './as-number.js';
export { compareWords } from './compare-words.js';
export { isDelegationRoot, reverseDomainRange } from './domain-name.js';
export { placeholderPerson, publicCopy } from './dummify.js';
export { type DumpEntry, type DumpOptions, DumpSplitter, splitDump } from './dump.js';
export * from './filter.js';
export { partBits, partsOf, type SpacePart, type SpaceUse, spaceUse } from './free-space.js';
export { type AbuseContact, abuseContactOf, contactAttributes } from './holders/abuse-contact.js';
export { type HolderPolicy, holderPolicy } from './holders/policy.js';
export {
  abuseRoleReference,
  type Find,
  followReference,
  type Lineage,
  nearestValue,
  type ObjectName,
  organisationReference,
  type Registered,
  referenceId,
} from './holders/registered.js';
export { holderAttributes, type ResourceHolder, resourceHolderOf } from './holders/resource-holder.js';
export { formatIpv4, parseIpv4, parseIpv4Prefix, parseIpv4Range } from './ipv4.js';
export { formatIpv6, formatIpv6Network, parseIpv6, parseIpv6Prefix } from './ipv6.js';
export {
  foldKey,
  type Key,
  keyAttributesOf,
  keyForm,
  parseForeignKey,
  parseKey,
  primaryKey,
  shownKey,
  spelledKey,
} from './key.js';
export * from './latin1.js';
export { attributeText, printObject } from './layout.js';
export { asciiLowerCase, asciiUpperCase } from './letter-case.js';
export { type DiffLine, diffLines } from './line-diff.js';
export { firstMessages, formatMessage, type Message, type Place, type Severity, sortMessages } from './message.js';
export { accountTexts } from './messages/existence.js';
export { messages } from './messages.js';
export { normalise } from './normalise.js';
export { type Attribute, allOf, firstOf, hasAttribute, type RpslObject } from './object.js';
export { type Link, linkOf, type Reference, referencesOf } from './references.js';
export { formatPrefix, formatRange, isRoot, parseNetwork, parseResource, rangeOf, rangeOfKey } from './resource.js';
export { samples } from './samples.js';
export * from './sets/expand.js';
export * from './sets/members.js';
export { formatPrefixLengths, type PrefixLengths, parsePrefixLengths } from './sets/prefix-lengths.js';
export { joinSetParts, type SetPart, setInParts } from './sets/set-parts.js';
export { sortInParts } from './sets/sort-in-parts.js';
export { isNonAuthoritative, nonAuthoritativeName, nonAuthoritativeTypes, ownMirrorName } from './source-parts.js';
export { isNameServer } from './syntax/dns.js';
export { bareEmail, isEmail } from './syntax/email.js';
export { checkSyntax } from './syntax/index.js';
export { templateText, verboseTemplateText } from './template.js';
export { type Parsed, type ParseOptions, parseObject } from './text.js';
export { countries, languages } from './types/codes.js';
export { enumerationOf } from './types/enumerations.js';
export { statusesWhere } from './types/statuses.js';
export * from './types.js';
export { unifiedDifference } from './unified-difference.js';
export { validate } from './validate.js';
export * from './value.js';
export { wrapWords } from './wrap-words.js';
