import { type Key, readKeys, type User } from 'openpgp';
import type { CertificateFacts, Unreadable } from './certificate-model.js';

/** Reads an armored PGP public key block, which must hold one key. */
export async function readPgpKey(armored: string): Promise<CertificateFacts | Unreadable> {
  const keys = await readKeys({ armoredKeys: armored }).catch(() => []);
  const [key] = keys;
  if (key === undefined) {
    return 'no-key';
  }
  return keys.length > 1
    ? 'several-keys'
    : { method: 'PGP', owners: await owners(key), fingerprint: groupDigits(key.getFingerprint()) };
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
