import { type Message, messages, type RpslObject, valuesOf } from '@cadastre/rpsl';
import type { Change } from '../change.js';
import type { Neighbours } from '../facts.js';
import { nearest } from '../governing.js';
import type { Policy } from '../policy.js';
import { isSwitch } from '../rules/status-change.js';
import { type NetworkType, statusOf } from '../rules/status-hierarchy.js';
import { isOperator } from './registry-operator.js';
import type { Strategy } from './strategy.js';

/** Statuses of networks that an RIR itself hands out. */
const registryStatuses: Readonly<Record<NetworkType, ReadonlySet<string>>> = {
  inetnum: new Set(['ALLOCATED UNSPECIFIED', 'ALLOCATED PA', 'ALLOCATED-ASSIGNED PA', 'ASSIGNED ANYCAST']),
  inet6num: new Set(['ALLOCATED-BY-RIR', 'ASSIGNED ANYCAST', 'ASSIGNED PI']),
};

/**
 * Under the profile of an RIR its operator hands out networks: one of its mntners is among the maintainers of those, and
 * makes them (P-INET-AUTH, P-INET6-AUTH, and the same parts of P-INET-SWITCH, P-INET-DELETE and P-INET6-DELETE).
 */
export const registryStatus: Strategy = (change, facts, principal, policy) => {
  const { object } = change;
  if (policy.profile !== 'rir' || !isNetwork(object.type)) {
    return [];
  }
  const byOperator = isOperator(facts, principal, policy);
  const legacy = isTopOfLegacy(change, facts.neighbours) && !byOperator ? [messages.legacyIsOperators()] : [];
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

/** LEGACY networks come and go under one another; those that stand under none are the registry's to judge. */
function isTopOfLegacy({ action, object }: Change, { enclosing }: Neighbours): boolean {
  const [parent] = nearest(enclosing, 'inetnum');
  const isLegacy = object.type === 'inetnum' && statusOf(object) === 'LEGACY';
  return action !== 'modify' && isLegacy && parent !== undefined && statusOf(parent) !== 'LEGACY';
}

function hasOperator(object: RpslObject, { operatorMaintainers }: Policy): boolean {
  const names = new Set(operatorMaintainers.map((name) => name.toLowerCase()));
  return valuesOf(object, 'mnt-by').some((name) => names.has(name.toLowerCase()));
}

function isNetwork(type: string): type is NetworkType {
  return type === 'inetnum' || type === 'inet6num';
}
