import { createHmac, hash, randomBytes } from 'node:crypto';
import { isReturnPath } from '@cadastre/service';

/** A stored session of the web application. */
export interface SessionRecord {
  accountId: string;
  accountName: string;
  created: Date;
  /** When the session ends even if it is in use. */
  expires: Date;
  /** To the minute. */
  lastUsed: Date;
}

const valueBytes = 32;
const minuteMs = 60_000;

/** Makes the value of a session cookie: 32 random bytes in Base64url. */
export function newSessionValue(): string {
  return randomBytes(valueBytes).toString('base64url');
}

/** Whether a text has the form of such a value. */
export function isSessionValue(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** The stored hash of a cookie's value. The value is random, so a fast hash suffices. */
export function hashCookie(value: string): Buffer {
  return hash('sha256', value, 'buffer');
}

/** When a session ends unless it is used before. */
export function idleExpiry({ expires, lastUsed }: SessionRecord, idleMs: number): Date {
  return new Date(Math.min(expires.getTime(), lastUsed.getTime() + idleMs));
}

/** The last use of a key or session is stored to the minute, so that it is written at most once a minute. */
export function startOfMinute(time: Date): Date {
  return new Date(Math.floor(time.getTime() / minuteMs) * minuteMs);
}

/** A sign-in that has begun. */
export interface SignIn {
  /** The value of the browser's cookie. */
  token: string;
  /** Path of the web application; empty for none. */
  returnPath: string;
  expires: Date;
}

/** The secrets of one sign-in. Only this service and the browser know the token from which they are derived. */
export interface SignInSecrets {
  state: string;
  nonce: string;
  /** PKCE (RFC 7636). */
  codeVerifier: string;
}

const signInLifetimeMs = 600_000;
/** Maximum difference between the clocks of the replicas. */
const clockSkewMs = 60_000;
const randomLength = 32;
const timeLength = 6;
/** More than the size of a token with the longest return path. */
const maxTokenLength = 4000;

/**
 * Begins a sign-in that expires in ten minutes. Its token is 32 random bytes, its expiry (Unix time in milliseconds, 6
 * bytes) and the return path, in Base64url. The token needs no key of ours, because the secrets of the sign-in are
 * derived from all of it: the identity provider got state, nonce and PKCE challenge, so its reply matches only this
 * token, with this expiry and this return path.
 */
export function newSignIn(returnPath: string, now: Date): SignIn {
  const expires = new Date(now.getTime() + signInLifetimeMs);
  const time = Buffer.alloc(timeLength);
  time.writeUIntBE(expires.getTime(), 0, timeLength);
  const token = Buffer.concat([randomBytes(randomLength), time, Buffer.from(returnPath, 'latin1')]);
  return { token: token.toString('base64url'), returnPath, expires };
}

/** Parses a token; `undefined` when it is not the token of a sign-in that is still open. */
export function readSignIn(token: string, now: Date): SignIn | undefined {
  if (token.length > maxTokenLength || !/^[\w-]+$/.test(token)) return undefined;
  const bytes = Buffer.from(token, 'base64url');
  // Only one spelling of a token is valid; otherwise one sign-in could finish twice.
  if (bytes.length < randomLength + timeLength || bytes.toString('base64url') !== token) return undefined;
  const expires = new Date(bytes.readUIntBE(randomLength, timeLength));
  const returnPath = bytes.toString('latin1', randomLength + timeLength);
  const isOpen = expires > now && expires.getTime() <= now.getTime() + signInLifetimeMs + clockSkewMs;
  return isOpen && isReturnPath(returnPath) ? { token, returnPath, expires } : undefined;
}

/** Derives the secrets of a sign-in from its token. */
export function signInSecrets({ token }: SignIn): SignInSecrets {
  const derive = (purpose: string) => createHmac('sha256', token).update(purpose).digest('base64url');
  return { state: derive('state'), nonce: derive('nonce'), codeVerifier: derive('code verifier') };
}
