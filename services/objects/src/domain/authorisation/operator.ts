import { firstValueOf, isDelegationRoot, type Message, messages, type RpslObject, valuesOf } from '@cadastre/rpsl';
import type { Principal } from '../authenticate.js';
import type { Change } from '../change.js';
import type { Facts, RelatedRanges } from '../facts.js';
import { nearest } from '../governing.js';
import { findMntner } from '../known-objects.js';
import { isRootNetwork } from '../numbers.js';
import type { Policy } from '../policy.js';
import { proves } from '../prove.js';
import { isSwitch, type NetworkType, registryStatuses, statusOf } from '../rules/statuses.js';
import type { Strategy } from './strategy.js';

/** Whether the caller is one of the registry operator's stored mntners. */
export function isOperator(facts: Facts, principal: Principal | undefined, policy: Policy): boolean {
  return policy.operatorMaintainers
    .flatMap((name) => findMntner(facts.before, name) ?? [])
    .some((mntner) => proves(mntner, facts, principal));
}

/**
 * Only the operator creates what has no parent: as-blocks (P-ASBLOCK-ADMIN; nor does anyone else change them),
 * delegations of telephone numbers (P-ENUM), the roots of delegations, and the whole address space.
 */
export const registryOperator: Strategy = (change, facts, principal, policy) => {
  const refusal = operatorsOnly(change);
  if (refusal === undefined || isOperator(facts, principal, policy)) return [];
  return [refusal, messages.operatorsNeeded(policy.operatorMaintainers)];
};

/** Why only the operator may make a change; undefined when others may. */
export function operatorsOnly({ action, object }: Pick<Change, 'action' | 'object'>): Message | undefined {
  if (object.type === 'as-block') return messages.asBlockIsOperators();
  if (action !== 'create') return undefined;
  if (object.type === 'domain') return refusalOfDomain(firstValueOf(object, 'domain') ?? '');
  return isRootNetwork(object) ? messages.statusIsOperators(firstValueOf(object, 'status') ?? '') : undefined;
}

function refusalOfDomain(domain: string) {
  if (/\be164\.arpa$/i.test(domain)) return messages.enumIsOperators();
  return isDelegationRoot(domain) ? messages.rootIsOperators(domain) : undefined;
}

/**
 * In the profile `rir` only the operator creates networks of registry statuses, which must name one of its mntners
 * (P-INET-AUTH, P-INET6-AUTH, and the same parts of P-INET-SWITCH, P-INET-DELETE and P-INET6-DELETE).
 */
export const registryStatus: Strategy = (change, facts, principal, policy) => {
  const { object } = change;
  if (policy.profile !== 'rir' || !isNetwork(object.type)) return [];
  const byOperator = isOperator(facts, principal, policy);
  const legacy = isTopOfLegacy(change, facts.relatedRanges) && !byOperator ? [messages.legacyIsOperators()] : [];
  const said = [...refusalsOf(change, object.type, byOperator, policy), ...legacy];
  return said.length === 0 ? [] : [...said, messages.operatorsNeeded(policy.operatorMaintainers)];
};

function refusalsOf(
  { action, object, stored }: Change,
  type: NetworkType,
  byOperator: boolean,
  policy: Policy,
): Message[] {
  const status = statusOf(object);
  if (!registryStatuses[type].has(status)) return [];
  const isMaintained = hasOperator(object, policy);
  switch (action) {
    case 'create':
      if (!isMaintained) return [messages.statusOnlyOperators(status)];
      return byOperator ? [] : [messages.statusIsOperators(status)];
    case 'modify':
      return stored && isSwitch(stored, object) && !isMaintained ? [messages.statusOnlyOperators(status)] : [];
    case 'delete':
      return isMaintained ? [] : [messages.statusDeletedByOperators(status)];
  }
}

/** Only the operator creates and deletes a LEGACY network whose parent is not LEGACY. */
function isTopOfLegacy({ action, object }: Change, { enclosing }: RelatedRanges): boolean {
  const [parent] = nearest(enclosing, 'inetnum');
  const isLegacy = object.type === 'inetnum' && statusOf(object) === 'LEGACY';
  return action !== 'modify' && isLegacy && parent !== undefined && statusOf(parent) !== 'LEGACY';
}

function hasOperator(object: RpslObject, { operatorMaintainers }: Policy): boolean {
  const names = new Set(operatorMaintainers.map((name) => name.toLowerCase()));
  return valuesOf(object, 'mnt-by').some((name) => names.has(name.toLowerCase()));
}

export function isNetwork(type: string): type is NetworkType {
  return type === 'inetnum' || type === 'inet6num';
}
