import { createHash } from 'node:crypto';
import { firstMessages, type Message, type ObjectTypeName } from '@cadastre/rpsl';
import type { Outcome } from './decide.js';
import type { Principal } from './principal.js';

/** A key under which an account may repeat a write (decision W20), as hashes. */
export interface WriteKey {
  readonly account: Buffer;
  /** Hash of the key, and of the maintainers that the credential is limited to: it must not show what others wrote. */
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
    account: hashOf(accountId),
    key: hashOf(JSON.stringify([key, [...maintainers].sort()])),
    request: Buffer.from(request),
  };
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** The result of one change of a write that was made: what it takes to give it again. The versions have the text. */
export interface StoredResult {
  readonly outcome: Outcome;
  readonly type: ObjectTypeName;
  /** Folded. */
  readonly key: string;
  /** Of the state that was stored, or of the deletion. */
  readonly revision: number;
  readonly messages: readonly Message[];
}

const maxCharacters = 100_000;

/** The results as they are kept; without their messages when these are too long together. */
export function storedResults(results: readonly StoredResult[]): StoredResult[] {
  const shortened = results.map((one) => ({ ...one, messages: firstMessages(one.messages) }));
  return JSON.stringify(shortened).length <= maxCharacters
    ? shortened
    : shortened.map((one) => ({ ...one, messages: [] }));
}

/** Why a key is good for no write now. */
export type KeyRefusal = 'other-request' | 'running' | 'too-many';

/** Maximum number of keys that an account may take within an hour. */
export const maxKeys = 5_000;
