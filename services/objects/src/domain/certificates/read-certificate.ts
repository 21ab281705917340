import { type Message, messages, type RpslObject, toLatin1 } from '@cadastre/rpsl';
import { places } from '../places.js';
import type { CertificateReading, Unreadable } from './certificate-model.js';
import { certificateKind, certificateText } from './certificate-text.js';
import { pgpFingerprint, readPgpKey } from './pgp-key.js';
import { readX509, x509Fingerprint } from './x509.js';

/**
 * Reads the material of a key-cert (rule G-KEYCERT-GEN) as it stands now. Looking into PGP keys takes time: not for
 * transactions.
 */
export async function readCertificate(object: RpslObject, now: Date): Promise<CertificateReading> {
  const kind = certificateKind(object);
  const text = certificateText(object);
  const read = kind === undefined ? 'no-key' : kind === 'pgp' ? await readPgpKey(text, now) : readX509(text, now);
  return typeof read === 'string'
    ? { ok: false, messages: [complaint(read, object)] }
    : { ok: true, facts: { ...read, owners: read.owners.map(storable) } };
}

/** The fingerprint by which the holder of a key-cert's key is known; undefined when it holds no key. */
export async function readKeyFingerprint(object: RpslObject): Promise<string | undefined> {
  const kind = certificateKind(object);
  const text = certificateText(object);
  return kind === undefined ? undefined : kind === 'pgp' ? pgpFingerprint(text) : x509Fingerprint(text);
}

function complaint(reason: Unreadable, object: RpslObject): Message {
  switch (reason) {
    case 'no-key':
      return messages.noKey();
    case 'several-keys':
      return messages.multipleKeys();
    case 'invalid':
      return messages.invalidCertificate(places(object, 'certif').at(-1)!);
  }
}

/** Names in certificates are free text of somebody else's making. */
function storable(owner: string): string {
  return toLatin1(owner)
    .text.replace(/\p{Cc}+/gu, ' ')
    .trim();
}
