import { describe, expect, test } from 'vitest';
import {
  type ApiKeyRecord,
  accepts,
  encodeCredential,
  expiresSoon,
  hashSecret,
  isAllowedExpiry,
  latestExpiry,
  newCredential,
  parseCredential,
} from './api-keys.js';

const now = new Date('2026-11-21T12:00:00Z');
const audience = 'test:TEST';
const credential = newCredential();
const record: ApiKeyRecord = {
  id: credential.id,
  accountId: 'a-1',
  accountName: 'alice@example.net',
  name: 'laptop',
  hash: hashSecret(audience, credential),
  maintainer: '',
  created: now,
  expires: new Date('2027-11-21T12:00:00Z'),
  revoked: undefined,
  lastUsed: undefined,
};

test('a new credential has an identifier of 24 letters and digits and a secret of 32 random bytes', () => {
  expect(credential.id).toMatch(/^[A-Za-z0-9]{24}$/);
  expect(Buffer.from(credential.secret, 'base64url')).toHaveLength(32);
  expect(newCredential()).not.toEqual(newCredential());
});

test('a credential survives its encoding', () => {
  expect(parseCredential(encodeCredential(credential))).toEqual(credential);
});

const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
const id = 'A'.repeat(24);
const secret = 's'.repeat(43);

test.each([
  ['an empty text', ''],
  ['what is not Base64', '****'],
  ['a line end in the Base64', `${base64(`${id}:${secret}`)}\n`],
  ['no colon', base64(`${id}${secret}`)],
  ['a short identifier', base64(`${id.slice(1)}:${secret}`)],
  ['an identifier with other characters', base64(`${id.slice(1)}-:${secret}`)],
  ['a short secret', base64(`${id}:${secret.slice(1)}`)],
  ['a NUL', base64(`${id}:${secret}\0`)],
  ['a password of a user', base64('alice@example.net:password')],
  ['a second colon', base64(`${id}:${secret}:x`)],
  ['megabytes', 'A'.repeat(2 ** 22)],
])('%s is no credential', (_, basic) => {
  expect(parseCredential(basic)).toBeUndefined();
});

describe('a credential', () => {
  const expires = record.expires;
  test('is accepted while its key lasts', () => {
    expect(accepts(record, credential, audience, now)).toBe(true);
    expect(accepts(record, credential, audience, new Date(expires.getTime() - 1))).toBe(true);
  });

  test.each<[string, ApiKeyRecord | undefined, Date, string, string]>([
    ['of an unknown key', undefined, now, audience, credential.secret],
    ['with another secret', record, now, audience, newCredential().secret],
    ['of an expired key', record, expires, audience, credential.secret],
    ['of a revoked key', { ...record, revoked: now }, now, audience, credential.secret],
    ['of another registry', record, now, 'test:OTHER', credential.secret],
    ['of another environment', record, now, 'production:TEST', credential.secret],
  ])('%s is refused', (_, stored, time, registry, presented) => {
    expect(accepts(stored, { id: credential.id, secret: presented }, registry, time)).toBe(false);
  });
});

test.each([
  ['2026-11-21T12:00:00Z', '2027-11-21T12:00:00.000Z'],
  ['2027-06-01T00:00:00Z', '2028-06-01T00:00:00.000Z'],
  ['2028-02-29T00:00:00Z', '2029-03-01T00:00:00.000Z'],
])('a key made %s ends %s at the latest', (now, latest) => {
  expect(latestExpiry(new Date(now)).toISOString()).toBe(latest);
});

test.each([
  ['2026-11-21T12:00:00Z', false],
  ['2026-11-21T12:00:01Z', true],
  ['2027-11-21T12:00:00Z', true],
  ['2027-11-21T12:00:01Z', false],
  ['not a date', false],
])('an expiry at %s is allowed: %s', (expires, allowed) => {
  expect(isAllowedExpiry(new Date(expires), now)).toBe(allowed);
});

test.each([
  ['2026-12-05T12:00:00Z', true],
  ['2026-12-05T12:00:01Z', false],
])('a key that ends %s is due: %s', (expires, due) => {
  expect(expiresSoon(new Date(expires), now)).toBe(due);
});
