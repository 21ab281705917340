import type { AttributeName, ObjectTypeName } from './model.js';

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

/** Registration statuses, by type. */
export const statuses = {
  inetnum: {
    'ALLOCATED PA': 'allocated to an LIR, which assigns parts of it',
    'ALLOCATED UNSPECIFIED': 'allocated to a registry, or of an unknown kind',
    'LIR-PARTITIONED PA': 'a part of an allocation that the LIR sets aside',
    'SUB-ALLOCATED PA': 'a part of an allocation that a customer assigns further',
    'AGGREGATED-BY-LIR': 'many assignments of one size in one object',
    'ALLOCATED-ASSIGNED PA': 'an allocation that one end user uses as a whole',
    'ASSIGNED PA': 'used by an end user, from an allocation of an LIR',
    'ASSIGNED PI': 'used by an end user, independent of a provider',
    'ASSIGNED ANYCAST': 'for anycast name servers',
    LEGACY: 'allocated before there were regional registries',
  },
  inet6num: {
    'ALLOCATED-BY-RIR': 'allocated to an LIR, which assigns parts of it',
    'ALLOCATED-BY-LIR': 'a part of an allocation that a customer assigns further',
    'AGGREGATED-BY-LIR': 'many assignments of one size in one object',
    ASSIGNED: 'used by an end user, from an allocation of an LIR',
    'ASSIGNED ANYCAST': 'for anycast name servers',
    'ASSIGNED PI': 'used by an end user, independent of a provider',
  },
  'aut-num': {
    ASSIGNED: 'assigned by this registry',
    LEGACY: 'allocated before there were regional registries',
    OTHER: 'from another registry',
  },
} satisfies { [type in ObjectTypeName]?: Meanings };

/**
 * The values that an attribute may have in objects of a type, with their meaning; undefined for attributes that are not
 * an enumeration. Codes of countries and languages are in `countries` and `languages`.
 */
export function enumerationOf(attribute: AttributeName, type: ObjectTypeName): Meanings | undefined {
  if (attribute === 'org-type') return orgTypes;
  return attribute === 'status' ? (statuses as { [name in ObjectTypeName]?: Meanings })[type] : undefined;
}
