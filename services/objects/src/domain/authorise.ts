import type { Message } from '@cadastre/rpsl';
import type { Principal } from './authenticate.js';
import { addressParent, enclosingAsBlock, parentOfSet, reverseDomain, routeSpace } from './authorisation/hierarchy.js';
import { isNetwork, operatorsOnly, registryOperator, registryStatus } from './authorisation/operator.js';
import { incidentTeams, isTrusted, namesInUse, protectedReferences } from './authorisation/references.js';
import { ownMaintainers, type Strategy } from './authorisation/strategy.js';
import type { Action, Change, Prepared } from './change.js';
import type { Facts } from './facts.js';
import type { Policy } from './policy.js';
import { requestMessages } from './request-messages.js';

/** The strategies of each action. All must be met; refusals are reported together. */
const strategies: Readonly<Record<Action, readonly Strategy[]>> = {
  create: [
    ownMaintainers,
    registryOperator,
    registryStatus,
    addressParent,
    enclosingAsBlock,
    reverseDomain,
    routeSpace,
    parentOfSet,
    incidentTeams,
    protectedReferences,
    namesInUse,
  ],
  modify: [ownMaintainers, registryOperator, registryStatus, incidentTeams, protectedReferences],
  delete: [ownMaintainers, registryStatus],
};

/** Whether a strategy may check if the caller is the registry operator (`isOperator`). */
export function mayAskOperator(change: Prepared, { profile }: Policy): boolean {
  if (profile === 'rir' && isNetwork(change.type)) return true;
  if (change.verb === 'delete') return false;
  if (change.verb === 'update') return operatorsOnly({ action: 'modify', object: change.object }) !== undefined;
  return isTrusted(change.type) || operatorsOnly({ action: 'create', object: change.object }) !== undefined;
}

/** Whether the caller may make a change; if not, the messages name the maintainers who may. */
export interface Authority {
  readonly isGranted: boolean;
  readonly messages: readonly Message[];
}

/** Creating an object that exists checks only its own maintainers, so that others learn nothing else about it. */
export function authorise(change: Change, facts: Facts, principal: Principal | undefined, policy: Policy): Authority {
  const isTaken = change.action === 'create' && change.stored !== undefined;
  const requested = isTaken ? [ownMaintainers] : strategies[change.action];
  const said = distinct(requested.flatMap((strategy) => strategy(change, facts, principal, policy)));
  const isGranted = said.every((message) => message.severity !== 'error');
  return {
    isGranted,
    messages: isGranted ? said : [...said, requestMessages.credentialsTried(principal?.credentials ?? [])],
  };
}

/** Several maintainers may name one missing key-cert: one message. */
function distinct(said: readonly Message[]): Message[] {
  return [...new Map(said.map((message) => [JSON.stringify([message.text, message.args]), message])).values()];
}
