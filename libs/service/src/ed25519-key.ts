import { createPrivateKey, type KeyObject } from 'node:crypto';

/** PKCS #8 of an Ed25519 key before its seed (RFC 8410). */
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The private Ed25519 key with a seed of 32 octets. */
export function ed25519Key(seed: Uint8Array): KeyObject {
  return createPrivateKey({ key: Buffer.concat([pkcs8Prefix, seed]), format: 'der', type: 'pkcs8' });
}
