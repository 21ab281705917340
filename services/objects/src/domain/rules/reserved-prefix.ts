import { messages, type ObjectTypeName } from '@cadastre/rpsl';
import type { Rule } from './rule.js';

/** Beginnings of names that tell the type of the object. */
const prefixes: readonly (readonly [prefix: string, type: ObjectTypeName])[] = [
  ['as-', 'as-set'],
  ['rs-', 'route-set'],
  ['rtrs-', 'rtr-set'],
  ['fltr-', 'filter-set'],
  ['prng-', 'peering-set'],
  ['org-', 'organisation'],
  ['irt-', 'irt'],
  ['pgpkey-', 'key-cert'],
  ['x509-', 'key-cert'],
];

export const reservedPrefix: Rule = {
  id: 'G-RESERVED-PREFIX',
  types: 'all',
  actions: ['create'],
  check: ({ object, key }) =>
    prefixes
      .filter(([prefix, type]) => key.folded.startsWith(prefix) && object.type !== type)
      .map(([prefix, type]) => messages.reservedPrefix(prefix, type)),
};
