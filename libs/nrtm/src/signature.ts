import { createPrivateKey, createPublicKey, hash, type KeyObject } from 'node:crypto';
import { CompactSign, compactVerify, errors } from 'jose';

const algorithm = 'ES256';

/**
 * Signs the payload of a notification: a compact JWS by ES256.
 *
 * @param privateKey PEM, PKCS 8, on the curve P-256. Errors: another kind of key.
 */
export async function signNotification(payload: string, privateKey: string): Promise<string> {
  const key = p256(createPrivateKey(privateKey));
  return new CompactSign(Buffer.from(payload)).setProtectedHeader({ alg: algorithm }).sign(key);
}

/** The payload of a signed notification, and which of the given keys verifies it. */
export interface Verified {
  readonly payload: string;
  readonly publicKey: string;
}

/**
 * Verifies a compact JWS against public keys (PEM, SPKI, P-256), in their order. Undefined when none of them made the
 * signature, and for any algorithm but ES256, whatever the header says. Errors: an invalid key.
 */
export async function verifyNotification(signed: string, publicKeys: readonly string[]): Promise<Verified | undefined> {
  for (const publicKey of publicKeys) {
    const payload = await payloadSignedBy(signed.trim(), p256(createPublicKey(publicKey)));
    if (payload !== undefined) return { payload, publicKey };
  }
  return undefined;
}

async function payloadSignedBy(signed: string, key: KeyObject): Promise<string | undefined> {
  try {
    const { payload } = await compactVerify(signed, key, { algorithms: [algorithm] });
    return new TextDecoder('utf-8', { fatal: true }).decode(payload);
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** The public key (PEM, SPKI) of a private one (PEM, PKCS 8). Errors: the key is not on P-256. */
export function publicKeyOf(privateKey: string): string {
  return createPublicKey(p256(createPrivateKey(privateKey)))
    .export({ type: 'spki', format: 'pem' })
    .toString();
}

/** The fingerprint of a public key (PEM): SHA-256 of its SubjectPublicKeyInfo, 64 hexadecimal digits. */
export function fingerprintOf(publicKey: string): string {
  return hash('sha256', createPublicKey(publicKey).export({ type: 'spki', format: 'der' }));
}

/** Whether a text is a public key that can verify notifications. */
export function isPublicKey(text: string): boolean {
  try {
    // `createPublicKey` also accepts private keys.
    return /^-----BEGIN PUBLIC KEY-----/.test(text.trim()) && p256(createPublicKey(text)).type === 'public';
  } catch {
    return false;
  }
}

/** Whether two PEM texts have the same public key. */
export function samePublicKey(a: string, b: string): boolean {
  return createPublicKey(a).equals(createPublicKey(b));
}

function p256(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') {
    throw new Error('The key is not on the curve P-256');
  }
  return key;
}
