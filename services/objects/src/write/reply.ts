import { type Message, messages, type RpslObject, sortMessages } from '@cadastre/rpsl';
import { isGranted, type Outcome } from '../domain/decide.js';
import { type Preparation, type Prepared, submittedOf } from '../domain/submission.js';
import type { StoredObject } from '../store/stored-object.js';

/** What became of one change. */
export interface WriteReply {
  readonly outcome: Outcome;
  readonly messages: readonly Message[];
  /** The state that was stored (or would be); of a deletion the state that was deleted. */
  readonly stored?: StoredObject;
  /** Of a refused change: the object as it was sent. */
  readonly submitted?: RpslObject;
  /** 0 when nothing was stored. */
  readonly serial: bigint;
}

/** The reply to a change that was carried out (or would have been). */
export function granted(outcome: Outcome, said: readonly Message[], stored: StoredObject, serial: bigint): WriteReply {
  return { outcome, messages: said, stored, serial };
}

/** The reply to a change that was looked at and refused. */
export function refusal(outcome: Outcome, said: readonly Message[], prepared: Prepared): WriteReply {
  return withSubmitted({ outcome, messages: said, serial: 0n }, submittedOf(prepared));
}

/** The reply to a change that nothing is wrong with but the others of its write. */
export function skipped(prepared: Prepared): WriteReply {
  return refusal('skipped', [], prepared);
}

/** The replies to changes of which at least one ended before anything was loaded. */
export function unprepared(preparation: Preparation): WriteReply {
  if (preparation.ok) {
    return skipped(preparation.prepared);
  }
  const { outcome, messages: said, submitted } = preparation.refused;
  return withSubmitted({ outcome, messages: said, serial: 0n }, submitted);
}

/** Tells that it was only a trial. */
export function asDryRun(reply: WriteReply): WriteReply {
  return { ...reply, messages: sortMessages([...reply.messages, messages.dryRun()]), serial: 0n };
}

/** When one change of a write is refused, those that would have been granted are skipped. */
export function allOrNone(replies: readonly WriteReply[], changes: readonly Prepared[]): WriteReply[] {
  const isRefused = replies.some((reply) => !isGranted(reply.outcome));
  return replies.map((reply, index) => (isRefused && isGranted(reply.outcome) ? skipped(changes[index]!) : reply));
}

function withSubmitted(reply: WriteReply, submitted: RpslObject | undefined): WriteReply {
  return submitted === undefined ? reply : { ...reply, submitted };
}
