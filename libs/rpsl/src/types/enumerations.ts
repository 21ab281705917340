import type { AttributeName, ObjectTypeName } from './model.js';
import { type RegistrationStatus, statuses } from './statuses.js';

/** Values with their meaning. */
type Meanings = Readonly<Record<string, string>>;

/** Kinds of organisations. */
export const orgTypes: Meanings = {
  IANA: 'the Internet Assigned Numbers Authority',
  RIR: 'a regional Internet registry',
  NIR: 'a national Internet registry',
  LIR: 'a local Internet registry: a member of this one',
  DIRECT_ASSIGNMENT: 'holds resources by a direct contract with the registry',
  OTHER: 'any other, such as a customer of an LIR',
};

/**
 * The values that an attribute may have in objects of a type, with their meaning; undefined for attributes that are not
 * an enumeration. Codes of countries and languages are in `countries` and `languages`.
 */
export function enumerationOf(attribute: AttributeName, type: ObjectTypeName): Meanings | undefined {
  if (attribute === 'org-type') return orgTypes;
  const ofType: Readonly<Record<string, RegistrationStatus>> | undefined =
    attribute === 'status' && type in statuses ? statuses[type as keyof typeof statuses] : undefined;
  return ofType && Object.fromEntries(Object.entries(ofType).map(([status, { meaning }]) => [status, meaning]));
}
