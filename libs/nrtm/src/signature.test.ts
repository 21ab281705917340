import { createHmac, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { expect, test } from 'vitest';
import { isPublicKey, publicKeyOf, samePublicKey, signNotification, verifyNotification } from './signature.js';
import { keyPair } from './signed.fixture.js';

const ours = keyPair();
const others = keyPair();
const payload = '{"source":"EXAMPLE"}';
const signed = await signNotification(payload, ours.privateKey);

const part = (value: string | Buffer) => Buffer.from(value).toString('base64url');
const header = (members: object) => part(JSON.stringify(members));
const [signedHeader, signedPayload, signature] = signed.split('.');

test('the key that signed verifies, whichever place it has, and a line end does not matter', async () => {
  for (const keys of [[ours.publicKey], [others.publicKey, ours.publicKey]]) {
    expect(await verifyNotification(`${signed}\n`, keys)).toEqual({ payload, publicKey: ours.publicKey });
  }
});

function hmac(secret: string): string {
  const content = `${header({ alg: 'HS256' })}.${signedPayload}`;
  return `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`;
}

test.each([
  ['another key', await signNotification(payload, others.privateKey)],
  ['no signature', `${signedHeader}.${signedPayload}.`],
  ['the algorithm none', `${header({ alg: 'none' })}.${signedPayload}.`],
  ['the algorithm none with a signature', `${header({ alg: 'none' })}.${signedPayload}.${signature}`],
  ['HS256 with the PEM of the key as secret', hmac(ours.publicKey)],
  [
    'HS256 with the DER of the key as secret',
    hmac(createPublicKey(ours.publicKey).export({ type: 'spki', format: 'der' }).toString('latin1')),
  ],
  ['another header', `${header({ alg: 'ES256', kid: 'a' })}.${signedPayload}.${signature}`],
  [
    'a critical member that nobody knows',
    `${header({ alg: 'ES256', crit: ['a'], a: 1 })}.${signedPayload}.${signature}`,
  ],
  ['a key in the header', `${header({ alg: 'ES256', jwk: {} })}.${signedPayload}.${signature}`],
  ['no JWS', payload],
  ['nothing', ''],
])('%s is refused', async (_, text) => {
  expect(await verifyNotification(text, [ours.publicKey])).toBeUndefined();
});

test('a flipped bit anywhere is refused', async () => {
  for (let at = 0; at < signed.length; at++) {
    // The last character of a part may have unused bits.
    if (signed[at] === '.' || at === signed.length - 1 || signed[at + 1] === '.') continue;
    const flipped = Buffer.from(signed);
    flipped[at] = flipped[at]! ^ 1;
    expect(await verifyNotification(flipped.toString('latin1'), [ours.publicKey]), `byte ${at}`).toBeUndefined();
  }
});

test('only keys on P-256 sign and verify', async () => {
  const p384 = keyPair('secp384r1');
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2_048 }).publicKey.export({ type: 'spki', format: 'pem' });
  await expect(signNotification(payload, p384.privateKey)).rejects.toThrow('P-256');
  await expect(verifyNotification(signed, [p384.publicKey])).rejects.toThrow('P-256');
  for (const text of [p384.publicKey, rsa.toString(), ours.privateKey, 'text', ''])
    expect(isPublicKey(text)).toBe(false);
  expect(isPublicKey(ours.publicKey)).toBe(true);
});

test('a private key has its public key', () => {
  expect(samePublicKey(publicKeyOf(ours.privateKey), ours.publicKey.replaceAll('\n', '\r\n'))).toBe(true);
  expect(samePublicKey(ours.publicKey, others.publicKey)).toBe(false);
});
