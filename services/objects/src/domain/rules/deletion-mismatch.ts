import { firstValueOf, messages, type RpslObject, sameObject } from '@cadastre/rpsl';
import type { Change } from '../change.js';
import type { Rule } from './rule.js';

/** Who tells what is to be deleted is not made to delete something else. */
export const deletionMismatch: Rule = {
  id: 'G-DELETE-MISMATCH',
  types: 'all',
  actions: ['delete'],
  isPrivate: true,
  check: ({ key, object, expected }) =>
    expected === undefined || sameObject(object, expected) ? [] : [messages.deleteMismatch(shownName(object, key))],
};

/** As "[mntner] EXAMPLE-MNT"; of people with their name. */
function shownName(object: RpslObject, key: Change['key']): string {
  const name = object.type === 'person' || object.type === 'role' ? `   ${firstValueOf(object, object.type)}` : '';
  return `[${object.type}] ${key.shown}${name}`;
}
