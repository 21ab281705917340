import { firstValueOf } from '@cadastre/rpsl';
import { maintainerAttributes, maintainersOf, type Policy } from './policy.js';
import { type Find, follow, type Lineage, nearest, organisationReference, type Registered } from './registered.js';

/** The organisation that holds a resource. */
export interface ResourceHolder {
  readonly key: string;
  readonly name: string;
}

/** The attributes that `resourceHolderOf` reads. */
export const holderAttributes: readonly string[] = [...maintainerAttributes, 'org', 'org-name'];

const heldTypes: ReadonlySet<string> = new Set(['inetnum', 'inet6num', 'aut-num']);

/**
 * The holder of the first object of the lineage: its own organisation, else that of the nearest enclosing object that
 * is not the operator's alone. A sponsor is not a holder. It must depend on no other attribute of the object (ADR 0027).
 */
export function resourceHolderOf(lineage: Lineage, find: Find, policy: Policy): ResourceHolder | undefined {
  const [held, ...enclosing] = lineage;
  if (!heldTypes.has(held.object.type)) return undefined;
  const handedOut = [held, ...enclosing.filter((parent) => isHandedOut(parent, policy))];
  const organisation = nearest(handedOut, (one) => follow(organisationReference(one), find));
  return organisation && { key: organisation.id.key, name: firstValueOf(organisation.object, 'org-name') ?? '' };
}

function isHandedOut(parent: Registered, { operatorMaintainers }: Policy): boolean {
  return maintainersOf(parent).some((name) => !operatorMaintainers.has(name));
}
