import { enums, type Key, readKeys, type Subkey, type User } from 'openpgp';
import type { CertificateFacts, Unreadable } from './material.js';

/** With `null` the library ignores dates; its types do not say so. */
const anyTime = null as unknown as Date;

/** Reads a PGP public key in binary form. Run it on a worker thread, after `inspectPgpKey`. */
export async function readPgpKey(octets: Uint8Array, now: Date): Promise<CertificateFacts | Unreadable> {
  const keys = await readKeys({ binaryKeys: octets }).catch(() => []);
  const [key] = keys;
  if (key === undefined || key.isPrivate()) return 'no-key';
  if (keys.length > 1) return 'several-keys';
  const { algorithm, bits } = key.getAlgorithmInfo();
  return {
    method: 'PGP',
    owners: await owners(key),
    fingerprint: groupDigits(key.getFingerprint()),
    keyFingerprint: key.getFingerprint().toLowerCase(),
    keyId: key.getKeyID().toHex().slice(-8).toUpperCase(),
    signingSubkeys: await signingSubkeys(key),
    expired: await isExpired(key, now),
    revoked: key.revocationSignatures.length > 0,
    algorithm: algorithmNames[algorithm],
    ...(bits !== undefined && { bits }),
  };
}

/**
 * Identifiers of the subkeys that may sign for a key: the key has bound the subkey, and the subkey has signed back (RFC
 * 9580, section 5.2.1.8). Includes expired and revoked ones.
 */
export async function signingSubkeysOf(octets: Uint8Array): Promise<string[]> {
  const [key] = await readKeys({ binaryKeys: octets }).catch(() => []);
  return key === undefined ? [] : signingSubkeys(key);
}

async function signingSubkeys(key: Key): Promise<string[]> {
  const bound = await Promise.all(
    key.subkeys.map(async (subkey) => ((await isCrossCertified(key, subkey)) ? [subkey] : [])),
  );
  return bound.flat().map((subkey) => subkey.getKeyID().toHex());
}

async function isCrossCertified({ keyPacket }: Key, subkey: Subkey): Promise<boolean> {
  const data = { key: keyPacket, bind: subkey.keyPacket };
  const { subkeyBinding, keyBinding } = enums.signature;
  for (const binding of subkey.bindingSignatures) {
    const holds = await binding
      .verify(keyPacket, subkeyBinding, data, anyTime)
      .then(() => binding.embeddedSignature?.verify(subkey.keyPacket, keyBinding, data, anyTime).then(() => true))
      .catch(() => false);
    if (holds) return true;
  }
  return false;
}

/** The algorithms that can sign, by their names in the library. */
const algorithmNames: Readonly<Record<string, string>> = {
  rsaEncryptSign: 'RSA',
  rsaSign: 'RSA',
  dsa: 'DSA',
  ecdsa: 'ECDSA',
  eddsaLegacy: 'EdDSA',
  ed25519: 'Ed25519',
  ed448: 'Ed448',
};

async function isExpired(key: Key, now: Date): Promise<boolean> {
  const end = await key.getExpirationTime().catch(() => null);
  return end instanceof Date && end <= now;
}

async function owners(key: Key): Promise<string[]> {
  const named = await Promise.all(
    key.users.map(async (user) => ((await isRevoked(user)) ? [] : [user.userID?.userID ?? ''])),
  );
  return named.flat().filter((name) => name !== '');
}

async function isRevoked(user: User): Promise<boolean> {
  const [certification] = user.selfCertifications;
  return certification !== undefined && (await user.isRevoked(certification));
}

/** "0123 4567 89AB CDEF 0123  4567 ...": groups of four, a wider gap after the fifth. */
function groupDigits(hex: string): string {
  const groups = hex.toUpperCase().match(/.{1,4}/g) ?? [];
  return `${groups.slice(0, 5).join(' ')}  ${groups.slice(5).join(' ')}`;
}
