import type { Key, Message, ObjectTypeName, RpslObject } from '@cadastre/rpsl';

/** What the caller wants done. `create`: must not exist; `update`: must exist. */
export type Verb = 'create' | 'update' | 'delete';

/** One attribute as somebody wrote it; the value with its comment, line ends inside it. */
export interface SubmittedAttribute {
  readonly name: string;
  readonly value: string;
}

/** One change as somebody asked for it. */
export interface Submission {
  readonly verb: Verb;
  /** Of a deletion that names its object by the path: what the caller takes the object for; empty when it does not say. */
  readonly attributes: readonly SubmittedAttribute[];
  /** What the caller's path names; the object must be of it. */
  readonly path?: { readonly type: string; readonly key?: string };
  /** Of a deletion, in the caller's words. */
  readonly reason: string;
}

/** A change that can be looked at: its object is well-formed. */
export type Prepared = PreparedWrite | PreparedDeletion;

export interface PreparedWrite {
  readonly verb: 'create' | 'update';
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
  /** What the caller takes the object for; absent when it does not say. */
  readonly expected?: RpslObject;
}

/** A change that ends before anything is loaded. */
export interface Refused {
  readonly outcome: 'invalid' | 'not-found';
  readonly messages: readonly Message[];
  readonly submitted?: RpslObject;
}

export type Preparation =
  | { readonly ok: true; readonly prepared: Prepared }
  | { readonly ok: false; readonly refused: Refused };

export function refused(
  messages: readonly Message[],
  submitted?: RpslObject,
  outcome: Refused['outcome'] = 'invalid',
): Preparation {
  return { ok: false, refused: submitted === undefined ? { outcome, messages } : { outcome, messages, submitted } };
}

/** The object that a refusal shows; a deletion shows none. */
export function submittedOf(prepared: Prepared): RpslObject | undefined {
  return prepared.verb === 'delete' ? undefined : prepared.submitted;
}
