import { firstValueOf, hasAttribute, messages, valuesOf } from '@cadastre/rpsl';
import { findContact } from '../known-objects.js';
import type { Rule } from './rule.js';

/** Warns of contacts that nobody maintains (legacy data). */
export const contactsMaintained: Rule = {
  id: 'G-CONTACT-MAINTAINED',
  types: 'all',
  actions: ['create', 'modify'],
  check: ({ object }, { after }) =>
    ['admin-c', 'tech-c']
      .flatMap((attribute) => valuesOf(object, attribute))
      .flatMap((handle) => findContact(after, handle) ?? [])
      .filter((contact) => !hasAttribute(contact, 'mnt-by'))
      .map((contact) => messages.contactUnmaintained(contact.type, firstValueOf(contact, 'nic-hdl')!)),
};
