import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

/** A key as it is stored: without its secret. */
export interface ApiKeyRecord {
  /** 24 letters and digits. */
  id: string;
  accountId: string;
  accountName: string;
  /** What its owner calls it. */
  name: string;
  /** See `hashSecret`. */
  hash: Buffer;
  /** When not empty, the only maintainer that the key may act as. */
  maintainer: string;
  created: Date;
  expires: Date;
  revoked: Date | undefined;
  /** To the minute. */
  lastUsed: Date | undefined;
}

/** What a client presents. */
export interface Credential {
  id: string;
  secret: string;
}

const idLength = 24;
const alphanumerics = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const secretBytes = 32;
/** Longer than any credential of ours by far. */
const maxBasicLength = 512;

/** A new credential, from the system's source of randomness. */
export function newCredential(): Credential {
  const id = Array.from({ length: idLength }, () => alphanumerics[randomInt(alphanumerics.length)]).join('');
  return { id, secret: randomBytes(secretBytes).toString('base64url') };
}

/** The value for "Authorization: Basic". */
export function encodeCredential({ id, secret }: Credential): string {
  return Buffer.from(`${id}:${secret}`).toString('base64');
}

/** Reads the value of "Authorization: Basic"; `undefined` when it is not of the form of our keys. */
export function parseCredential(basic: string): Credential | undefined {
  if (basic.length > maxBasicLength || !/^[A-Za-z0-9+/]+={0,2}$/.test(basic)) return undefined;
  const match = /^([A-Za-z0-9]{24}):([A-Za-z0-9_-]{43,128})$/.exec(Buffer.from(basic, 'base64').toString('latin1'));
  return match ? { id: match[1]!, secret: match[2]! } : undefined;
}

/**
 * What is stored instead of a secret. The secret is random, so a fast hash is right; the audience is part of it, so
 * that a key of another registry or environment fails here even if its row were copied.
 */
export function hashSecret(audience: string, { id, secret }: Credential): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([audience, id, secret]))
    .digest();
}

/** Stands in for the stored hash of a key that does not exist, so that unknown keys take the same work. */
const noHash = randomBytes(32);

/** Whether a credential is that of a stored key which is neither revoked nor expired. */
export function accepts(
  record: ApiKeyRecord | undefined,
  credential: Credential,
  audience: string,
  now: Date,
): record is ApiKeyRecord {
  const same = timingSafeEqual(record?.hash ?? noHash, hashSecret(audience, credential));
  return same && record !== undefined && record.revoked === undefined && record.expires > now;
}
