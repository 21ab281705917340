import { firstValueOf, hasAttribute, messages, valuesOf } from '@cadastre/rpsl';
import { findContact, findMntner } from '../known-objects.js';
import type { Rule } from './rule.js';

/** Warns of maintainers whose contacts nobody maintains (legacy data). */
export const maintainerContacts: Rule = {
  id: 'G-MNTBY-CONTACTS',
  types: 'all',
  actions: ['create', 'modify'],
  check: ({ object }, { after }) =>
    valuesOf(object, 'mnt-by').flatMap((name) => {
      const mntner = findMntner(after, name);
      const handles =
        mntner === undefined ? [] : ['admin-c', 'tech-c'].flatMap((attribute) => valuesOf(mntner, attribute));
      return handles.flatMap((handle) => {
        const contact = findContact(after, handle);
        return contact === undefined || hasAttribute(contact, 'mnt-by')
          ? []
          : [
              messages.maintainerContactUnmaintained(
                contact.type,
                firstValueOf(contact, 'nic-hdl')!,
                firstValueOf(mntner!, 'mntner')!,
              ),
            ];
      });
    }),
};
