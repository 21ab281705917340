import { type Message, messages, valuesOf } from '@cadastre/rpsl';
import { type CertificateFacts, hasNewMaterial } from '../certificates/material.js';
import { places } from '../places.js';
import type { Policy } from '../policy.js';
import type { Rule } from './rule.js';

/** `auth` holds no MD5 password, unless the policy allows it for the type. */
export const noPasswords: Rule = {
  id: 'G-NO-MD5',
  types: ['mntner', 'irt'],
  actions: ['create', 'modify'],
  check: ({ object }, _facts, { passwordTypes }) => {
    const hasPassword = valuesOf(object, 'auth').some((value) => value.toUpperCase().includes('MD5-PW'));
    return hasPassword && !passwordTypes.has(object.type as 'mntner' | 'irt') ? [messages.md5Refused()] : [];
  },
};

/** The name of a key-cert matches its key: PGPKEY- and the key ID, or no PGPKEY- for X.509. */
export const keyCertNameFits: Rule = {
  id: 'G-KEYCERT-NAME',
  types: ['key-cert'],
  actions: ['create', 'modify'],
  check: ({ object, key, stored, certificate }) => {
    if (!certificate?.ok || !hasNewMaterial(object, stored)) return [];
    const { method, keyId } = certificate.facts;
    const place = places(object, 'key-cert')[0]!;
    if (method === 'X509') return key.folded.startsWith('pgpkey-') ? [messages.autoKeyRequired(key.shown, place)] : [];
    const name = `PGPKEY-${keyId}`;
    return key.folded === name.toLowerCase() || key.folded.startsWith('auto-')
      ? []
      : [messages.syntaxErrorBecause(key.shown, `must be ${name} for this key`, place)];
  },
};

/** New keys are neither expired, revoked nor weak. A stored key may remain until it is replaced. */
function keyQuality(id: string, method: CertificateFacts['method'], complaints: Complaints): Rule {
  return {
    id,
    types: ['key-cert'],
    actions: ['create', 'modify'],
    check: (change, _facts, policy) => {
      const { certificate } = change;
      return certificate?.ok && certificate.facts.method === method && hasNewMaterial(change.object, change.stored)
        ? complaints(certificate.facts, change.key.shown, policy)
        : [];
    },
  };
}

type Complaints = (facts: CertificateFacts, name: string, policy: Policy) => Message[];

export const pgpKeyQuality = keyQuality('G-KEYCERT-PGP', 'PGP', (facts, _name, policy) => {
  const keyId = facts.keyId ?? '';
  return [
    ...(facts.expired ? [messages.pgpKeyExpired(keyId)] : []),
    ...(facts.revoked ? [messages.pgpKeyRevoked(keyId)] : []),
    ...weakKey(facts, keyId, policy),
  ];
});

export const x509Quality = keyQuality('G-KEYCERT-X509', 'X509', (facts, name, policy) => [
  ...(facts.expired ? [messages.pgpKeyExpired(name)] : []),
  ...weakHash(facts, name, policy),
  ...weakKey(facts, name, policy),
]);

function weakKey({ algorithm, bits }: CertificateFacts, name: string, { minKeyBits }: Policy): Message[] {
  if (algorithm === undefined) {
    return [{ severity: 'error', text: 'Public key in keycert %s uses an unsupported algorithm', args: [name] }];
  }
  const isMeasured = algorithm === 'RSA' || algorithm === 'DSA';
  return isMeasured && bits !== undefined && bits < minKeyBits
    ? [messages.keyTooShort(algorithm, bits, minKeyBits)]
    : [];
}

/** The name of the algorithm contains that of the hash: sha1WithRSAEncryption, ecdsa-with-SHA-1. */
function weakHash({ signatureAlgorithm = '' }: CertificateFacts, name: string, { weakHashes }: Policy): Message[] {
  const algorithm = signatureAlgorithm.toLowerCase().replaceAll('-', '');
  const isWeak = weakHashes.some((hash) => new RegExp(`${hash}(?!\\d)`).test(algorithm));
  return isWeak ? [messages.weakHash(name, signatureAlgorithm)] : [];
}
