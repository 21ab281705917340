import { type Key, readKeys, type User } from 'openpgp';
import type { CertificateFacts, Unreadable } from './certificate-model.js';

/** Reads an armored PGP public key block, which must hold one key. */
export async function readPgpKey(armored: string, now: Date): Promise<CertificateFacts | Unreadable> {
  const keys = await readKeys({ armoredKeys: armored }).catch(() => []);
  const [key] = keys;
  if (key === undefined || key.isPrivate()) {
    return 'no-key';
  }
  if (keys.length > 1) {
    return 'several-keys';
  }
  const { algorithm, bits } = key.getAlgorithmInfo();
  return {
    method: 'PGP',
    owners: await owners(key),
    fingerprint: groupDigits(key.getFingerprint()),
    keyFingerprint: key.getFingerprint().toLowerCase(),
    keyId: key.getKeyID().toHex().slice(-8).toUpperCase(),
    expired: await isExpired(key, now),
    revoked: key.revocationSignatures.length > 0,
    algorithm: algorithmNames[algorithm],
    ...(bits !== undefined && { bits }),
  };
}

/** The fingerprint of the one key in an armored block, in lower-case hex. */
export async function pgpFingerprint(armored: string): Promise<string | undefined> {
  const [key, ...more] = await readKeys({ armoredKeys: armored }).catch(() => []);
  return more.length > 0 ? undefined : key?.getFingerprint().toLowerCase();
}

/** The algorithms that can sign, by the names that the library has for them. */
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
