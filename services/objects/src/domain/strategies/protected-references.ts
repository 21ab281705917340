import { hasAttribute, type Message, messages, type RpslObject, valuesOf } from '@cadastre/rpsl';
import { addedReferences } from '../added-references.js';
import type { Facts } from '../facts.js';
import { findKnown } from '../known-objects.js';
import type { Principal } from '../principal.js';
import { askMaintainers, findCandidates, shownKey } from './candidates.js';
import type { Strategy } from './strategy.js';

/**
 * Who comes to refer to an object that has `mnt-ref` is one of the mntners that it names; organisations are always
 * asked. What was referred to before is not asked again.
 */
export const protectedReferences: Strategy = ({ object, stored }, facts, principal) => {
  const targets = addedReferences(object, stored).flatMap(
    ({ types, key }) => findKnown(facts.before, types, key) ?? findKnown(facts.after, types, key) ?? [],
  );
  return [...new Set(targets)]
    .filter((target) => target.type === 'organisation' || hasAttribute(target, 'mnt-ref'))
    .flatMap((target) => askTarget(target, facts, principal));
};

function askTarget(target: RpslObject, facts: Facts, principal: Principal | undefined): Message[] {
  const missing = valuesOf(target, 'mnt-ref').filter((name) => findCandidates(facts, [name]).length === 0);
  return [
    ...missing.map((name) => messages.mntRefMissing(shownKey(target), name)),
    ...askMaintainers(target, 'mnt-ref', facts, principal),
  ];
}
