import { isRoot } from '../resource.js';
import { firstValueOf } from '../value.js';
import { type HolderPolicy, maintainerAttributes, maintainersOf } from './policy.js';
import {
  abuseRoleReference,
  type Find,
  followReference,
  type Lineage,
  nearestValue,
  type ObjectName,
  organisationReference,
  type Registered,
} from './registered.js';

/** The attributes that `abuseContactOf` reads. */
export const contactAttributes: readonly string[] = [
  ...maintainerAttributes,
  'abuse-c',
  'abuse-mailbox',
  'org',
  'org-type',
  'sponsoring-org',
];

/** The abuse contact of a resource. */
export interface AbuseContact {
  /** The object that registers the resource. */
  readonly found: ObjectName;
  /** The handle of the role. */
  readonly role: string;
  readonly email: string;
  /** Whether the operator knows that the mailbox does not work. */
  readonly suspect: boolean;
  /** Key of the organisation to contact when the role does not help; empty if there is none. */
  readonly orgId: string;
}

/**
 * Finds the abuse contact for the first object of the lineage. Roots have no contact for the space inside them. The
 * gateway asks once for all objects with the same parent, `abuse-c`, `org`, `mnt-by` and `mnt-lower` (ADR 0052): the
 * role must depend on nothing else of the object.
 */
export function abuseContactOf(lineage: Lineage, find: Find, policy: HolderPolicy): AbuseContact | undefined {
  const [found, ...enclosing] = lineage;
  if (found.id.source !== policy.mainSource) return undefined;
  const withoutRoots: Lineage = [found, ...enclosing.filter((one) => !isRoot(one.id))];
  const role = nearestRole(withoutRoots, find, policy.operatorMaintainers);
  if (role === undefined) return undefined;
  const suspect = policy.isSuspect(role.mailbox);
  return {
    found: found.id,
    role: role.handle,
    email: role.mailbox,
    suspect,
    orgId: organisationToContact(withoutRoots, find, suspect) ?? '',
  };
}

interface AbuseRole {
  readonly handle: string;
  readonly mailbox: string;
}

/** An organisation that got a resource from the operator alone is responsible for it, so the search stops there. */
function nearestRole(lineage: Lineage, find: Find, operator: ReadonlySet<string>): AbuseRole | undefined {
  for (const one of lineage) {
    const role = roleNamedBy(one, find) ?? roleNamedBy(followReference(organisationReference(one), find), find);
    if (role !== undefined) return role;
    if (maintainersOf(one).some((name) => operator.has(name))) return undefined;
  }
  return undefined;
}

function roleNamedBy(one: Registered | undefined, find: Find): AbuseRole | undefined {
  const role = one && followReference(abuseRoleReference(one), find);
  const mailbox = role && firstValueOf(role.object, 'abuse-mailbox');
  return mailbox ? { handle: role.id.key, mailbox } : undefined;
}

/**
 * Key of the organisation to contact when the abuse contact does not help: the sponsor, else the organisation of the
 * nearest object that has one. With a suspect mailbox, an LIR if there is one.
 */
function organisationToContact(lineage: Lineage, find: Find, suspect: boolean): string | undefined {
  return (
    (suspect ? nearestValue(lineage, (one) => sponsorOf(one) ?? localRegistryOf(one, find)) : undefined) ??
    nearestValue(lineage, (one) => sponsorOf(one) ?? organisationReference(one)?.key)
  );
}

function sponsorOf({ object }: Registered): string | undefined {
  return firstValueOf(object, 'sponsoring-org') || undefined;
}

function localRegistryOf(one: Registered, find: Find): string | undefined {
  const organisation = followReference(organisationReference(one), find);
  return organisation && firstValueOf(organisation.object, 'org-type')?.toUpperCase() === 'LIR'
    ? organisation.id.key
    : undefined;
}
