import type { Message } from '@cadastre/rpsl';
import type { Action, Change } from './change.js';
import type { Facts } from './facts.js';
import type { Policy } from './policy.js';
import type { Principal } from './principal.js';
import { requestMessages } from './request-messages.js';
import { addressParent } from './strategies/address-parent.js';
import { enclosingAsBlock } from './strategies/enclosing-as-block.js';
import { incidentTeams } from './strategies/incident-teams.js';
import { namingMaintainers } from './strategies/naming-maintainers.js';
import { ownMaintainers } from './strategies/own-maintainers.js';
import { parentOfSet } from './strategies/parent-of-set.js';
import { protectedReferences } from './strategies/protected-references.js';
import { registryOperator } from './strategies/registry-operator.js';
import { registryStatus } from './strategies/registry-status.js';
import { reverseDomain } from './strategies/reverse-domain.js';
import { routeSpace } from './strategies/route-space.js';
import type { Strategy } from './strategies/strategy.js';

/** All must be met; they are reported together. */
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
    namingMaintainers,
  ],
  modify: [ownMaintainers, registryOperator, registryStatus, incidentTeams, protectedReferences],
  delete: [ownMaintainers, registryStatus],
};

/** Whether a change is allowed, and what is to be said about it: when it is not, who could allow it. */
export interface Authority {
  readonly isGranted: boolean;
  readonly messages: readonly Message[];
}

/** What exists is asked for its own maintainers only: who is not one of them learns nothing else by creating it again. */
export function authorise(change: Change, facts: Facts, principal: Principal | undefined, policy: Policy): Authority {
  const isTaken = change.action === 'create' && change.stored !== undefined;
  const asked = isTaken ? [ownMaintainers] : strategies[change.action];
  const said = distinct(asked.flatMap((strategy) => strategy(change, facts, principal, policy)));
  const isGranted = said.every((message) => message.severity !== 'error');
  return {
    isGranted,
    messages: isGranted ? said : [...said, requestMessages.credentialsTried(principal?.credentials ?? [])],
  };
}

/** Several maintainers may name one key-cert that is not there. */
function distinct(said: readonly Message[]): Message[] {
  return [...new Map(said.map((message) => [JSON.stringify([message.text, message.args]), message])).values()];
}
