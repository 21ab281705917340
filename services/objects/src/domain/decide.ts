import { type Message, messages, type RpslObject, sameObject, sortMessages } from '@cadastre/rpsl';
import type { Principal } from './authenticate.js';
import { type Authority, authorise } from './authorise.js';
import type { Change } from './change.js';
import type { Facts } from './facts.js';
import { generate } from './generate.js';
import type { Policy } from './policy.js';
import { applyRules, type Finding } from './rules/index.js';

/** The outcome of a change. */
export type Outcome =
  | 'created'
  | 'modified'
  | 'deleted'
  | 'unchanged'
  | 'invalid'
  | 'unauthorised'
  | 'stale'
  | 'exists'
  | 'referenced'
  | 'not-found'
  | 'day-quota'
  | 'mntner-quota'
  | 'skipped';

/** The decision on one change: its outcome and messages. */
export interface Decision {
  readonly outcome: Outcome;
  /** The state to store; for a deletion the deleted state. */
  readonly object: RpslObject;
  /** All messages, sorted. */
  readonly messages: readonly Message[];
}

const granted: readonly Outcome[] = ['created', 'modified', 'deleted', 'unchanged'];

/** Whether the change is granted: stored, or already in place. */
export function isGranted(outcome: Outcome): boolean {
  return granted.includes(outcome);
}

/**
 * Decides on one change: checks authority, generates attributes and applies all rules, and returns all messages
 * together. `earlier` has the messages of the earlier stages. A change without effect needs authority too, but no rule
 * applies, and any stored state is accepted: it may retry a write whose response was lost.
 */
export function decide(
  change: Change,
  facts: Facts,
  earlier: readonly Message[],
  { principal, policy, now }: { readonly principal: Principal; readonly policy: Policy; readonly now: Date },
): Decision {
  const authority = authorise(change, facts, principal, policy);
  if (isIdentical(change, earlier)) {
    const outcome = authority.isGranted ? 'unchanged' : 'unauthorised';
    const said = [...earlier, ...authority.messages, ...(outcome === 'unchanged' ? [messages.identical()] : [])];
    return { outcome, object: change.object, messages: sortMessages(said) };
  }
  const generated = generateState(change, now);
  const findings = applyRules({ ...change, object: generated.object }, facts, policy, authority.isGranted);
  const said = [
    ...earlier,
    ...authority.messages,
    ...(change.stale === undefined ? [] : [change.stale]),
    ...generated.messages,
    ...findings.map((finding) => finding.message),
  ];
  return {
    outcome: outcomeOf(change, authority, findings, said),
    object: generated.object,
    messages: sortMessages(said),
  };
}

function isIdentical({ action, object, stored }: Change, earlier: readonly Message[]): boolean {
  const isFlawed = earlier.some((m) => m.severity === 'error');
  return action === 'modify' && !isFlawed && stored !== undefined && sameObject(stored, object);
}

function generateState(change: Change, now: Date) {
  const { certificate } = change;
  if (change.action === 'delete') return { object: change.object, messages: [] };
  const generated = generate(change, certificate?.ok ? certificate.facts : undefined, now);
  const unreadable = certificate === undefined || certificate.ok ? [] : certificate.messages;
  return { object: generated.object, messages: [...unreadable, ...generated.messages] };
}

const outcomesOfRules: Readonly<Record<string, Outcome>> = {
  'G-EXISTS': 'exists',
  'G-REFERENCED': 'referenced',
  'G-SET-MEMBERS-LEFT': 'referenced',
};

const outcomesOfActions = { create: 'created', modify: 'modified', delete: 'deleted' } as const;

/** Missing authority precedes a stale state, which precedes a conflict, which precedes any other error. */
function outcomeOf(
  change: Change,
  authority: Authority,
  findings: readonly Finding[],
  said: readonly Message[],
): Outcome {
  if (!authority.isGranted) return 'unauthorised';
  if (change.stale !== undefined) return 'stale';
  const conflict = findings.map((finding) => outcomesOfRules[finding.rule]).find((outcome) => outcome !== undefined);
  if (conflict !== undefined) return conflict;
  return said.some((m) => m.severity === 'error') ? 'invalid' : outcomesOfActions[change.action];
}
