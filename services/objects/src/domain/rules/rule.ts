import type { Message, ObjectTypeName } from '@cadastre/rpsl';
import type { Action, Change } from '../change.js';
import type { Facts } from '../facts.js';
import type { Policy, PolicyProfile } from '../policy.js';

/** One business rule: what it says about a change. */
export interface Rule {
  /** Stable name, for example "G-EXISTS". */
  readonly id: string;
  readonly types: 'all' | readonly ObjectTypeName[];
  readonly actions: readonly Action[];
  /** Of rules that only registries of one profile have (decision W12). */
  readonly profile?: Exclude<PolicyProfile, 'none'>;
  /** Its answer tells about what is stored: only who may make the change gets it. */
  readonly isPrivate?: true;
  check(change: Change, facts: Facts, policy: Policy): Message[];
}
