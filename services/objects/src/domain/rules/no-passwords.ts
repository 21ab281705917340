import { messages, valuesOf } from '@cadastre/rpsl';
import type { Rule } from './rule.js';

/** A password that is stored, even as a hash, is no credential any more. */
export const noPasswords: Rule = {
  id: 'G-NO-MD5',
  types: ['mntner', 'irt'],
  actions: ['create', 'modify'],
  check: ({ object }, _facts, { passwordTypes }) => {
    const hasPassword = valuesOf(object, 'auth').some((value) => value.toUpperCase().includes('MD5-PW'));
    return hasPassword && !passwordTypes.has(object.type as 'mntner' | 'irt') ? [messages.md5Refused()] : [];
  },
};
