import { error, type Place, warning } from '../message.js';

/** Hierarchies of addresses, AS numbers and reverse domains. */
export const addressSpaceMessages = {
  rangeOverlaps: (range: string) => error('This range overlaps with %s', [range]),
  domainOverlaps: (domain: string) => error('This domain overlaps with %s', [domain]),
  oneParentNeeded: (range: string) => error('Interval %s must have exactly one parent', [range]),
  asBlockParentExists: () => error('Parent As-block already exists'),
  asBlockChildExists: () => error('Child As-block already exists'),
  asBlockOverlaps: () => error('Overlapping As-block already exists'),
  lessSpecificDomain: (prefix: string) => error('Existing less specific domain object found %s', [prefix]),
  moreSpecificDomain: (prefix: string) => error('Existing more specific domain object found %s', [prefix]),
  glueMandatory: (domain: string, place: Place) =>
    error('Glue record is mandatory if hostname ends with %s', [domain], place),
  glueNotAllowed: (domain: string, place: Place) =>
    error('Glue records only allowed if hostname ends with %s', [domain], place),
  enumGlueInvalid: (glue: string, place: Place) => error('Enum domain has invalid glue %s', [glue], place),
  bogon: (prefix: string) => error('Bogon prefix %s is not allowed.', [prefix]),
  reservedAsNumber: (asNumber: number) => error('Cannot use reserved AS number %d', [asNumber]),
  geofeedRemark: (attribute: string) =>
    error('Only one between the "%s:" and "remark: %s:" attributes is allowed.', [attribute, attribute]),
};

/** Abuse contacts (rules G-ABUSEC-*). */
export const abuseContactMessages = {
  abuseRoleWithoutMailbox: (role: string, type: string) =>
    error(
      'The "abuse-c" ROLE object \'%s\' has no "abuse-mailbox:"\nAdd "abuse-mailbox:" to the ROLE object, then update the %s object',
      [role, type.toUpperCase()],
    ),
  abuseContactIsPerson: () =>
    error('"abuse-c:" references a PERSON object\nThis must reference a ROLE object with an "abuse-mailbox:"'),
  abuseMailboxInUse: (type: string, role: string) =>
    error("There is an %s referencing role %s's abuse-mailbox", [type, role]),
  abuseRoleUnlimited: () => warning('There are no limits on queries for ROLE objects containing "abuse-mailbox:"'),
  abuseContactRepeated: (role: string, organisation: string) =>
    warning('Duplicate abuse-c "%s" also found in referenced organisation "%s".', [role, organisation]),
};
