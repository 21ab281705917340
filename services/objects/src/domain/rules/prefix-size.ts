import { type Message, prefixLength } from '@cadastre/rpsl';
import { addressesOf } from '../numbers.js';
import type { Rule } from './rule.js';

const longest = 64;

/** IPv6 networks are registered down to the size of one link. */
export const inet6numSize: Rule = {
  id: 'P-INET6-SIZE',
  types: ['inet6num'],
  actions: ['create'],
  profile: 'rir',
  check: ({ object }) => {
    const range = addressesOf(object);
    const length = range && prefixLength(range);
    return length !== undefined && length > longest ? [tooSmall()] : [];
  },
};

function tooSmall(): Message {
  return { severity: 'error', text: 'Minimum prefix size is %s', args: [String(longest)] };
}
