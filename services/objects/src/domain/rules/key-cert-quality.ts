import { type Message, messages } from '@cadastre/rpsl';
import type { CertificateFacts } from '../certificates/certificate-model.js';
import { hasNewMaterial } from '../certificates/certificate-text.js';
import type { Policy } from '../policy.js';
import type { Rule } from './rule.js';

/** Keys by which somebody could be taken for another are not stored; stored ones stay as long as they are not replaced. */
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

/** The hash stands somewhere in the name of the algorithm: sha1WithRSAEncryption, ecdsa-with-SHA-1. */
function weakHash({ signatureAlgorithm = '' }: CertificateFacts, name: string, { weakHashes }: Policy): Message[] {
  const algorithm = signatureAlgorithm.toLowerCase().replaceAll('-', '');
  const isWeak = weakHashes.some((hash) => new RegExp(`${hash}(?!\\d)`).test(algorithm));
  return isWeak ? [messages.weakHash(name, signatureAlgorithm)] : [];
}
