import type { Message } from '@cadastre/rpsl';
import type { Change } from './change.js';
import type { Facts } from './facts.js';
import type { Principal } from './principal.js';
import { ownMaintainers } from './strategies/own-maintainers.js';
import { parentOfSet } from './strategies/parent-of-set.js';
import type { Strategy } from './strategies/strategy.js';

/** All must be met; they are reported together. */
const strategies: readonly Strategy[] = [ownMaintainers, parentOfSet];

/** What authority the caller lacks for a change; nothing when the change is allowed. */
export function authorise(change: Change, facts: Facts, principal: Principal | undefined): Message[] {
  return strategies.flatMap((strategy) => strategy(change, facts, principal));
}
