import type { AbuseContact } from '@cadastre/proto/geo';
import { firstValueOf } from '@cadastre/rpsl';
import { organisationToContact } from './organisation-to-contact.js';
import { maintainersOf, type Policy } from './policy.js';
import {
  abuseRoleReference,
  type Find,
  follow,
  isRoot,
  type Lineage,
  organisationReference,
  type Registered,
} from './registered.js';

/** Whom to write to about abuse from the first object of the lineage. Roots say nothing about the space inside them. */
export function abuseContactOf(lineage: Lineage, find: Find, policy: Policy): AbuseContact | undefined {
  const [found, ...enclosing] = lineage;
  if (found.id.source !== policy.mainSource) return undefined;
  const inward: Lineage = [found, ...enclosing.filter((one) => !isRoot(one))];
  const role = nearestRole(inward, find, policy.operatorMaintainers);
  if (role === undefined) return undefined;
  const suspect = policy.isSuspect(role.mailbox);
  return {
    found: found.id,
    role: role.handle,
    email: role.mailbox,
    suspect,
    orgId: organisationToContact(inward, find, suspect) ?? '',
  };
}

interface AbuseRole {
  readonly handle: string;
  readonly mailbox: string;
}

/** Whoever has a resource from the operator answers for it alone, so the search does not go beyond. */
function nearestRole(lineage: Lineage, find: Find, operator: ReadonlySet<string>): AbuseRole | undefined {
  for (const one of lineage) {
    const role = roleNamedBy(one, find) ?? roleNamedBy(follow(organisationReference(one), find), find);
    if (role !== undefined) return role;
    if (maintainersOf(one).some((name) => operator.has(name))) return undefined;
  }
  return undefined;
}

function roleNamedBy(one: Registered | undefined, find: Find): AbuseRole | undefined {
  const role = one && follow(abuseRoleReference(one), find);
  const mailbox = role && firstValueOf(role.object, 'abuse-mailbox');
  return mailbox ? { handle: role.id.key, mailbox } : undefined;
}
