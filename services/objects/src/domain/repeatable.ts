import { hash } from 'node:crypto';
import { firstMessages, type Message, type ObjectTypeName } from '@cadastre/rpsl';
import type { Principal } from './authenticate.js';
import type { Outcome } from './decide.js';

/** A key with which an account may retry a write (decision W20), as hashes. */
export interface WriteKey {
  readonly account: Buffer;
  /**
   * Hash of the key, and of the maintainers to which the credential is limited: a retry must not show what others
   * wrote.
   */
  readonly key: Buffer;
  readonly request: Buffer;
}

/** Makes the key of an account. */
export function writeKey(
  { accountId, maintainers }: Pick<Principal, 'accountId' | 'maintainers'>,
  key: string,
  request: Uint8Array,
): WriteKey {
  return {
    account: hash('sha256', accountId, 'buffer'),
    key: hash('sha256', JSON.stringify([key, [...maintainers].sort()]), 'buffer'),
    request: Buffer.from(request),
  };
}

/** The stored result of one change of a write, for a retry. The versions have the text. */
export interface StoredResult {
  readonly outcome: Outcome;
  readonly type: ObjectTypeName;
  /** Folded. */
  readonly key: string;
  /** Of the stored state, or of the deletion. */
  readonly revision: number;
  readonly messages: readonly Message[];
}

const maxCharacters = 100_000;

/** The results to store; without their messages when these are too long together. */
export function storedResults(results: readonly StoredResult[]): StoredResult[] {
  const shortened = results.map((one) => ({ ...one, messages: firstMessages(one.messages) }));
  return JSON.stringify(shortened).length <= maxCharacters
    ? shortened
    : shortened.map((one) => ({ ...one, messages: [] }));
}

/** Why a key cannot be used for a write now. */
export type KeyRefusal = 'other-request' | 'running' | 'too-many';

/** Maximum number of keys that an account may use in an hour; long results count as further keys. */
export const maxKeys = 5_000;
/** Characters of results that count as a key: otherwise an account could store 500 MB in an hour. */
export const charactersOfKey = 10_000;
