import { type Message, messages, valuesOf } from '@cadastre/rpsl';
import type { Change } from '../change.js';
import type { Facts } from '../facts.js';
import { findContact, findMntner } from '../known-objects.js';
import type { Policy } from '../policy.js';
import type { Rule } from './rule.js';

/** Maintainers exist; who is new here is told where to begin. */
export const maintainersExist: Rule = {
  id: 'G-MNTBY-EXISTS',
  types: 'all',
  actions: ['create', 'modify'],
  check: (change, facts, policy) => {
    const missing = valuesOf(change.object, 'mnt-by').filter((name) => findMntner(facts.after, name) === undefined);
    const found = missing.map((name) => messages.maintainerNotFound(name));
    return found.length > 0 ? [...found, ...firstSteps(change, facts, policy)] : [];
  },
};

const contactAttributes = ['admin-c', 'tech-c', 'zone-c', 'author', 'ping-hdl'] as const;

function firstSteps({ object }: Change, { after }: Facts, { firstMaintainerPage }: Policy): Message[] {
  const hasContact = contactAttributes
    .flatMap((name) => valuesOf(object, name))
    .some((handle) => findContact(after, handle) !== undefined);
  if (hasContact || firstMaintainerPage === undefined) {
    return [];
  }
  const text = 'To create the first person/mntner pair of objects for an organisation see\n%s';
  return [{ severity: 'info', text, args: [firstMaintainerPage] }];
}
