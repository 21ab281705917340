import { firstValueOf, messages, type RpslObject } from '@cadastre/rpsl';
import type { Change } from '../change.js';
import type { Facts } from '../facts.js';
import { isWholeSpace } from '../numbers.js';
import type { Policy } from '../policy.js';
import type { Principal } from '../principal.js';
import { proves } from '../prove.js';
import { findCandidates } from './candidates.js';
import type { Strategy } from './strategy.js';

/** Whether the caller is one of the registry operator's own mntners. */
export function isOperator(facts: Facts, principal: Principal | undefined, policy: Policy): boolean {
  return findCandidates(facts, policy.operatorMaintainers).some((mntner) => proves(mntner, facts, principal));
}

/**
 * What stands at the top of everything is the operator's alone: as-blocks (P-ASBLOCK-ADMIN), delegations of telephone
 * numbers (P-ENUM), and the whole address space. Nobody else would have to be asked for it.
 */
export const registryOperator: Strategy = (change, facts, principal, policy) => {
  const refusal = refusalOf(change);
  if (refusal === undefined || isOperator(facts, principal, policy)) {
    return [];
  }
  return [refusal, messages.operatorsNeeded(policy.operatorMaintainers)];
};

function refusalOf({ action, object }: Change) {
  if (object.type === 'as-block') return messages.asBlockIsOperators();
  if (action !== 'create') return undefined;
  if (isTelephoneDomain(object)) return messages.enumIsOperators();
  return isWholeSpace(object) ? messages.statusIsOperators(firstValueOf(object, 'status') ?? '') : undefined;
}

function isTelephoneDomain(object: RpslObject): boolean {
  return object.type === 'domain' && /\be164\.arpa$/i.test(firstValueOf(object, 'domain') ?? '');
}
