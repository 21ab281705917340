import type { Key, Message, ObjectTypeName, RpslObject } from '@cadastre/rpsl';
import type { CertificateReading } from './certificates/material.js';

/** The operation. `create`: the object must not exist; `update`: it must exist; `put`: one of them. */
export type Verb = 'create' | 'update' | 'put' | 'delete';

/** One attribute as the caller sent it. The value includes comments and line ends. */
export interface SubmittedAttribute {
  readonly name: string;
  readonly value: string;
}

/** Stage 1 of a write: one change as the caller sent it. */
export interface Submission {
  readonly verb: Verb;
  /** The object. For a deletion with a path: the object that the caller expects; empty when it sends none. */
  readonly attributes: readonly SubmittedAttribute[];
  /** Type and key in the caller's path; the object must match. */
  readonly path?: { readonly type: string; readonly key?: string };
  /** The caller's reason for a deletion. */
  readonly reason: string;
  /** The accepted states of the object of an update or deletion; absent when any is accepted. */
  readonly expectedStates?: readonly ObjectState[] | undefined;
}

/** A state of an object, as a reader saw it. */
export interface ObjectState {
  readonly revision: number;
  /** When it was stored. A registry that was restored to an earlier state may use a revision a second time. */
  readonly modified: Date;
}

/** Stage 2 of a write: a change whose object is well-formed. */
export type Wellformed = PreparedWrite<'create' | 'update' | 'put'> | PreparedDeletion;

/** The same once it is known whether the object of a `put` exists. */
export type Prepared = PreparedWrite | PreparedDeletion;

export interface PreparedWrite<V extends Verb = 'create' | 'update'> {
  readonly verb: V;
  readonly type: ObjectTypeName;
  readonly key: Key;
  /** Normalised. */
  readonly object: RpslObject;
  /** As it was sent, in latin-1 and with full names: what a refusal shows. */
  readonly submitted: RpslObject;
  /** Warnings and infos. */
  readonly messages: readonly Message[];
}

export interface PreparedDeletion {
  readonly verb: 'delete';
  readonly type: ObjectTypeName;
  readonly key: Key;
  readonly reason: string;
  /** The object that the caller expects; absent when it sent none. */
  readonly expected?: RpslObject;
}

/** A change that is refused before anything is loaded. */
export interface Refused {
  readonly outcome: 'invalid' | 'not-found';
  readonly messages: readonly Message[];
  readonly submitted?: RpslObject;
  /** The normalised object, if only the structure and syntax of some attributes are wrong. */
  readonly readable?: RpslObject;
}

/** The result of preparing a change. */
export type Preparation =
  | { readonly ok: true; readonly prepared: Wellformed }
  | { readonly ok: false; readonly refused: Refused };

export function refused(
  messages: readonly Message[],
  submitted?: RpslObject,
  outcome: Refused['outcome'] = 'invalid',
): Preparation {
  return { ok: false, refused: submitted === undefined ? { outcome, messages } : { outcome, messages, submitted } };
}

/** The object that a refusal shows; none for a deletion. */
export function submittedOf(prepared: Wellformed): RpslObject | undefined {
  return prepared.verb === 'delete' ? undefined : prepared.submitted;
}

/** The action on an object. It is `create` even if the object exists: rule G-EXISTS refuses that. */
export type Action = 'create' | 'modify' | 'delete';

/** Stage 3 of a write: one change with the stored object, as rules and strategies see it. */
export interface Change {
  readonly action: Action;
  readonly key: Key;
  /** The new state; for a deletion the stored state. */
  readonly object: RpslObject;
  /** The state before, normalised. */
  readonly stored: RpslObject | undefined;
  /** Why the caller does not expect the stored state; absent when it does, or accepts any. */
  readonly stale?: Message | undefined;
  /** For a deletion: the object that the caller expects, if it sent one. */
  readonly expected?: RpslObject | undefined;
  /** The key in the new state of a key-cert. */
  readonly certificate?: CertificateReading | undefined;
}
