import { contains, firstValueOf, messages, type RpslObject } from '@cadastre/rpsl';
import { addressesOf, isWholeSpace } from '../numbers.js';
import type { Rule } from './rule.js';

/** Address registrations form a tree: exactly one parent, no partial overlaps. */
export const rangeOverlap: Rule = {
  id: 'G-RANGE-OVERLAP',
  types: ['inetnum', 'inet6num'],
  actions: ['create'],
  check: ({ object, key }, { neighbours }) => {
    if (!isWholeSpace(object) && parents(neighbours.enclosing).length !== 1) {
      return [messages.oneParentNeeded(key.shown)];
    }
    return neighbours.overlapping.slice(0, 1).map((other) => messages.rangeOverlaps(firstValueOf(other, other.type)!));
  },
};

/** Enclosing objects that enclose no other of them. */
function parents(enclosing: readonly RpslObject[]): readonly RpslObject[] {
  return enclosing.filter((outer) => {
    const range = addressesOf(outer)!;
    return !enclosing.some((inner) => inner !== outer && contains(range, addressesOf(inner)!));
  });
}
