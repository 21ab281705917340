import { firstMessages, type Message, messages, type RpslObject, sortMessages } from '@cadastre/rpsl';
import { type Preparation, submittedOf, type Wellformed } from '../domain/change.js';
import { isGranted, type Outcome } from '../domain/decide.js';
import type { NamedContact } from '../domain/known-objects.js';
import { requestMessages } from '../domain/request-messages.js';
import { isShown } from '../domain/submitted-object.js';
import type { StoredObject } from '../store/stored-object.js';

/** The reply to one change. */
export interface WriteReply {
  readonly outcome: Outcome;
  readonly messages: readonly Message[];
  /** The state that was stored (or would be); of a deletion the deleted state. */
  readonly stored?: StoredObject;
  /** The persons and roles that this state refers to. */
  readonly contacts?: readonly NamedContact[];
  /** Of a refused change: the object as sent, unless it is large. */
  readonly submitted?: RpslObject;
  /** 0 when nothing was stored. */
  readonly serial: bigint;
}

/** The reply to a change that was made (or would have been). */
export function granted(
  outcome: Outcome,
  said: readonly Message[],
  shown: { readonly stored: StoredObject; readonly contacts: readonly NamedContact[] },
  serial: bigint,
): WriteReply {
  return { outcome, messages: said, ...shown, serial };
}

/** The reply to a prepared change that was refused. */
export function refusal(outcome: Outcome, said: readonly Message[], prepared: Wellformed): WriteReply {
  return withSubmitted({ outcome, messages: said, serial: 0n }, submittedOf(prepared));
}

/** The replies when some changes update or delete objects that do not exist; undefined when all exist. */
export function absence(
  changes: readonly Wellformed[],
  exists: (change: Wellformed) => boolean,
): WriteReply[] | undefined {
  const isAbsent = (change: Wellformed) => (change.verb === 'update' || change.verb === 'delete') && !exists(change);
  return changes.some(isAbsent)
    ? changes.map((change) => (isAbsent(change) ? notFound(change) : skipped(change)))
    : undefined;
}

function notFound(change: Wellformed): WriteReply {
  const message =
    change.verb === 'delete'
      ? requestMessages.notFound()
      : messages.doesNotExist(`[${change.type}] ${change.key.shown}`);
  return refusal('not-found', [message], change);
}

/** The reply to a change that only fails because another change of its write is refused. */
function skipped(prepared: Wellformed): WriteReply {
  return refusal('skipped', [], prepared);
}

/** The reply to a change of a write of which not all changes could be prepared. */
export function unprepared(preparation: Preparation): WriteReply {
  if (preparation.ok) return skipped(preparation.prepared);
  const { outcome, messages: said, submitted } = preparation.refused;
  return withSubmitted({ outcome, messages: said, serial: 0n }, submitted);
}

/** Limits the messages of a reply. */
export function bounded(reply: WriteReply): WriteReply {
  return { ...reply, messages: firstMessages(reply.messages) };
}

/** Adds the message that the write was a dry run. */
export function asDryRun(reply: WriteReply): WriteReply {
  return { ...reply, messages: sortMessages([...reply.messages, messages.dryRun()]), serial: 0n };
}

/** When one change of a write is refused, those that would have been granted are skipped. */
export function allOrNone(replies: readonly WriteReply[], changes: readonly Wellformed[]): WriteReply[] {
  const isRefused = replies.some((reply) => !isGranted(reply.outcome));
  return replies.map((reply, index) => (isRefused && isGranted(reply.outcome) ? skipped(changes[index]!) : reply));
}

function withSubmitted(reply: WriteReply, submitted: RpslObject | undefined): WriteReply {
  return submitted === undefined || !isShown(submitted) ? reply : { ...reply, submitted };
}
