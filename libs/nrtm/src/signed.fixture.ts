import { generateKeyPairSync } from 'node:crypto';
import type { FileReference, Notification } from './notification.js';

/** A new pair of keys on P-256, PEM. */
export function keyPair(namedCurve = 'prime256v1'): { privateKey: string; publicKey: string } {
  return generateKeyPairSync('ec', {
    namedCurve,
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    publicKeyEncoding: { type: 'spki', format: 'pem' },
  });
}

export const sessionId = '43ef4645-8dd4-4352-878e-390d7acc11e4';

/** A file of this version. */
export function file(version: number, digit = 'a'): FileReference {
  return { version, url: `file-${version}.json.gz`, hash: digit.repeat(64) };
}

/** A notification with a snapshot and deltas of these versions. */
export function notification(
  snapshot: number,
  deltas: readonly number[],
  changes: Partial<Notification> = {},
): Notification {
  return {
    source: 'EXAMPLE',
    sessionId,
    version: Math.max(snapshot, ...deltas),
    timestamp: new Date('2026-01-02T03:04:05Z'),
    snapshot: file(snapshot),
    deltas: deltas.map((version) => file(version)),
    ...changes,
  };
}
