import { messages } from '@cadastre/rpsl';
import { hasNewMaterial } from '../certificates/certificate-text.js';
import { places } from '../places.js';
import type { Rule } from './rule.js';

/** The name of a key-cert tells the kind of its key, and of a PGP key which one it is. */
export const keyCertNameFits: Rule = {
  id: 'G-KEYCERT-NAME',
  types: ['key-cert'],
  actions: ['create', 'modify'],
  check: ({ object, key, stored, certificate }) => {
    if (!certificate?.ok || !hasNewMaterial(object, stored)) {
      return [];
    }
    const { method, keyId } = certificate.facts;
    const place = places(object, 'key-cert')[0]!;
    if (method === 'X509') {
      return key.folded.startsWith('pgpkey-') ? [messages.autoKeyRequired(key.shown, place)] : [];
    }
    const name = `PGPKEY-${keyId}`;
    return key.folded === name.toLowerCase() || key.folded.startsWith('auto-')
      ? []
      : [messages.syntaxErrorBecause(key.shown, `must be ${name} for this key`, place)];
  },
};
