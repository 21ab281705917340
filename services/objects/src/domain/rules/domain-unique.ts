import { formatPrefix, type Message, messages, type RpslObject } from '@cadastre/rpsl';
import { addressesOf } from '../numbers.js';
import type { Rule } from './rule.js';

/** One delegation for each address: no reverse domain above or below another. */
export const domainUnique: Rule = {
  id: 'G-DOMAIN-UNIQUE',
  types: ['domain'],
  actions: ['create'],
  check: (_change, { neighbours }) => [
    ...first(neighbours.enclosing, messages.lessSpecificDomain),
    ...first(neighbours.contained, messages.moreSpecificDomain),
  ],
};

function first(domains: readonly RpslObject[], message: (prefix: string) => Message): Message[] {
  return domains.slice(0, 1).map((domain) => message(formatPrefix(addressesOf(domain)!)));
}
