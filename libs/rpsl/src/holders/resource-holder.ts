import { firstValueOf } from '../value.js';
import { type HolderPolicy, maintainerAttributes, maintainersOf } from './policy.js';
import {
  type Find,
  followReference,
  type Lineage,
  nearestValue,
  organisationReference,
  type Registered,
} from './registered.js';

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
 * is not the operator's alone. A sponsor is not a holder.
 */
export function resourceHolderOf(lineage: Lineage, find: Find, policy: HolderPolicy): ResourceHolder | undefined {
  const [held, ...enclosing] = lineage;
  if (!heldTypes.has(held.object.type)) return undefined;
  const handedOut = [held, ...enclosing.filter((parent) => isHandedOut(parent, policy))];
  const organisation = nearestValue(handedOut, (one) => followReference(organisationReference(one), find));
  return organisation && { key: organisation.id.key, name: firstValueOf(organisation.object, 'org-name') ?? '' };
}

function isHandedOut(parent: Registered, { operatorMaintainers }: HolderPolicy): boolean {
  return maintainersOf(parent).some((name) => !operatorMaintainers.has(name));
}
