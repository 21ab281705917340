import { valueOf as firstValue, messages, valuesOf } from '@cadastre/rpsl';
import { findKnown } from '../known-objects.js';
import type { Rule } from './rule.js';

/** Warns when a resource repeats the abuse contact that it would inherit anyway. */
export const abuseContactRepeated: Rule = {
  id: 'G-ABUSEC-DUP',
  types: ['inetnum', 'inet6num', 'aut-num'],
  actions: ['create', 'modify'],
  check: ({ object }, { after, neighbours }) => {
    const own = firstValue(object, 'abuse-c');
    const organisations = [object, ...neighbours.enclosing]
      .flatMap((holder) => valuesOf(holder, 'org'))
      .flatMap((name) => findKnown(after, ['organisation'], name.toLowerCase()) ?? []);
    const inherited = organisations.find((organisation) => firstValue(organisation, 'abuse-c') !== undefined);
    return own !== undefined && inherited && firstValue(inherited, 'abuse-c')!.toLowerCase() === own.toLowerCase()
      ? [messages.abuseContactRepeated(own, firstValue(inherited, 'organisation')!)]
      : [];
  },
};
