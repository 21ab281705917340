import type { Message } from '@cadastre/proto/registry';

/** A value, or all messages that explain why there is none, ready for the client. */
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly messages: Message[] };

export function ok<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function refused<T>(...messages: Message[]): Outcome<T> {
  return { ok: false, messages };
}
