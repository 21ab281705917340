import { createHash, createHmac, randomBytes } from 'node:crypto';

const bytes = 32;

/** A new value for a cookie: 32 random bytes in Base64url. */
export function newOpaqueValue(): string {
  return randomBytes(bytes).toString('base64url');
}

/** Whether a text has the form of such a value. */
export function isOpaqueValue(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

/** What is stored instead of a value. It is random, so a fast hash is right. */
export function hashOpaqueValue(value: string): Buffer {
  return createHash('sha256').update(value).digest();
}

/** Another value that only the holder of the first can know; different for each purpose. */
export function deriveValue(value: string, purpose: string): string {
  return createHmac('sha256', value).update(purpose).digest('base64url');
}
