import { firstValueOf, messages, valuesOf } from '@cadastre/rpsl';
import { findKnown } from '../known-objects.js';
import type { Rule } from './rule.js';

/** Warns when a resource repeats the abuse contact that it would inherit anyway. */
export const abuseContactRepeated: Rule = {
  id: 'G-ABUSEC-DUP',
  types: ['inetnum', 'inet6num', 'aut-num'],
  actions: ['create', 'modify'],
  check: ({ object }, { after, neighbours }) => {
    const own = firstValueOf(object, 'abuse-c');
    const organisations = [object, ...neighbours.enclosing]
      .flatMap((holder) => valuesOf(holder, 'org'))
      .flatMap((name) => findKnown(after, ['organisation'], name.toLowerCase()) ?? []);
    const inherited = organisations.find((organisation) => firstValueOf(organisation, 'abuse-c') !== undefined);
    return own !== undefined && inherited && firstValueOf(inherited, 'abuse-c')!.toLowerCase() === own.toLowerCase()
      ? [messages.abuseContactRepeated(own, firstValueOf(inherited, 'organisation')!)]
      : [];
  },
};
