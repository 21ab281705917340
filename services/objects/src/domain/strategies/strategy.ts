import type { Message } from '@cadastre/rpsl';
import type { Change } from '../change.js';
import type { Facts } from '../facts.js';
import type { Policy } from '../policy.js';
import type { Principal } from '../principal.js';

/** One condition of authority: the messages tell which maintainers would have done; none when it is met. */
export type Strategy = (change: Change, facts: Facts, principal: Principal | undefined, policy: Policy) => Message[];
