import type { Message, ObjectTypeName } from '@cadastre/rpsl';
import type { Action, Change } from '../change.js';
import type { Facts } from '../facts.js';
import type { Policy, PolicyProfile } from '../policy.js';

/** One business rule. It returns messages about a change; errors refuse the change. */
export interface Rule {
  /** Stable name, for example "G-EXISTS". */
  readonly id: string;
  readonly types: 'all' | readonly ObjectTypeName[];
  readonly actions: readonly Action[];
  /** Set when only registries of this profile have the rule (decision W12). */
  readonly profile?: Exclude<PolicyProfile, 'none'>;
  /** The messages reveal stored data, so only an authorised caller gets them. */
  readonly isPrivate?: true;
  /** It needs only what the object names: a dry run applies it although other attributes have syntax errors. */
  readonly isEarly?: true;
  check(change: Change, facts: Facts, policy: Policy): Message[];
}
