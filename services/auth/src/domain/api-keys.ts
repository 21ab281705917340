import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import type { Message } from '@cadastre/proto/registry';
import { isAccountId, isAccountName } from './accounts.js';
import { messages } from './messages.js';

/** A stored API key. */
export interface ApiKeyRecord {
  /** 24 letters and digits. */
  id: string;
  accountId: string;
  accountName: string;
  /** The name that the owner gave it. */
  name: string;
  /** See `hashSecret`. */
  hash: Buffer;
  /** The only mntner that the key may act as; empty for no limit. */
  maintainer: string;
  created: Date;
  expires: Date;
  revoked: Date | undefined;
  /** To the minute. */
  lastUsed: Date | undefined;
}

/** What a client presents. */
interface Credential {
  id: string;
  secret: string;
}

const idLength = 24;
const alphanumerics = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const secretBytes = 32;
/** Far more than a credential has. */
const maxBasicLength = 512;
const noticeMs = 14 * 86_400_000;

/** Makes a random credential. */
export function newCredential(): Credential {
  const id = Array.from({ length: idLength }, () => alphanumerics[randomInt(alphanumerics.length)]).join('');
  return { id, secret: randomBytes(secretBytes).toString('base64url') };
}

/** The value for "Authorization: Basic". */
export function encodeCredential({ id, secret }: Credential): string {
  return Buffer.from(`${id}:${secret}`).toString('base64');
}

/** Parses the value of "Authorization: Basic"; `undefined` when it cannot be an API key. */
export function parseCredential(basic: string): Credential | undefined {
  if (basic.length > maxBasicLength || !/^[A-Za-z0-9+/]+={0,2}$/.test(basic)) return undefined;
  const match = /^([A-Za-z0-9]{24}):([A-Za-z0-9_-]{43,128})$/.exec(Buffer.from(basic, 'base64').toString('latin1'));
  return match ? { id: match[1]!, secret: match[2]! } : undefined;
}

/** Whether a text has the form of a key's ID. */
export function isApiKeyId(text: string): boolean {
  return /^[A-Za-z0-9]{24}$/.test(text);
}

/**
 * The stored hash of a secret. The secret is random, so a fast hash suffices. The hash includes the audience, so a key
 * of another registry or environment fails even if its row is copied.
 */
export function hashSecret(audience: string, { id, secret }: Credential): Buffer {
  return hash('sha256', JSON.stringify([audience, id, secret]), 'buffer');
}

/** The hash for a key that does not exist: checking an unknown key takes the same time. */
const noHash = randomBytes(32);

/** Whether the credential matches the stored key, which is neither revoked nor expired. */
export function accepts(
  record: ApiKeyRecord | undefined,
  credential: Credential,
  audience: string,
  now: Date,
): record is ApiKeyRecord {
  const same = timingSafeEqual(record?.hash ?? noHash, hashSecret(audience, credential));
  return same && record !== undefined && record.revoked === undefined && record.expires > now;
}

/** The latest expiry of a key made now: the same date one year later (29 February: 1 March). */
export function latestExpiry(now: Date): Date {
  const latest = new Date(now);
  latest.setUTCFullYear(latest.getUTCFullYear() + 1);
  return latest;
}

/** Whether an expiry lies in the future and within one year (decision W13). */
export function isAllowedExpiry(expires: Date, now: Date): boolean {
  return expires > now && expires <= latestExpiry(now);
}

/** Whether to warn the owner of a key that it expires: within 14 days. */
export function expiresSoon(expires: Date, now: Date): boolean {
  return expires.getTime() - now.getTime() <= noticeMs;
}

/** A request for a new key. */
interface NewApiKey {
  /** Subject of the account; empty when `accountName` names it. */
  accountId: string;
  /** Ignored when the subject is given. */
  accountName: string;
  name: string;
  expires: Date;
  maintainer: string;
}

/** Returns all errors of a request for a key. */
export function problemsOfNewKey(request: NewApiKey, now: Date): Message[] {
  const { name, expires, maintainer } = request;
  return [
    ...problemsOfAccount(request),
    ...(/^[^\p{C}]{1,80}$/u.test(name) && name.trim() !== '' ? [] : [messages.badKeyName()]),
    ...(isAllowedExpiry(expires, now) ? [] : [messages.badExpiry()]),
    ...(isMaintainerLimit(maintainer) ? [] : [messages.badMaintainer(maintainer.slice(0, 80))]),
  ];
}

function problemsOfAccount({ accountId, accountName }: NewApiKey): Message[] {
  if (accountId !== '') return isAccountId(accountId) ? [] : [messages.badAccountId()];
  return isAccountName(accountName) ? [] : [messages.badAccountName()];
}

/** Empty (no limit), or an RPSL object name (RFC 2622, section 2) of at most 80 characters. */
function isMaintainerLimit(name: string): boolean {
  return name === '' || /^[A-Z][A-Z0-9_-]{0,78}[A-Z0-9]$/i.test(name);
}
