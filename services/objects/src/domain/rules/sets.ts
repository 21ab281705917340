import { hasAttribute, messages, type RpslObject, valuesOf } from '@cadastre/rpsl';
import { writtenKey } from '../authorisation/strategy.js';
import { setParent } from '../governing.js';
import { findKnown } from '../known-objects.js';
import type { Rule } from './rule.js';

/** `member-of` names only sets that accept the object (`mbrs-by-ref`). */
export const memberOf: Rule = {
  id: 'G-MEMBEROF',
  types: ['aut-num', 'route', 'route6', 'inet-rtr'],
  actions: ['create', 'modify'],
  check: ({ object }, { after }) => {
    const unsupported = valuesOf(object, 'member-of').filter((name) => {
      const set: RpslObject | undefined = findKnown(after, ['as-set', 'route-set', 'rtr-set'], name.toLowerCase());
      return set !== undefined && !accepts(set, object);
    });
    return unsupported.length > 0 ? [messages.membershipNotSupported(unsupported)] : [];
  },
};

/** Warns when a change of `mbrs-by-ref` excludes present members. */
export const membersByReferenceChanged: Rule = {
  id: 'G-MBRSBYREF-CHANGED',
  types: ['as-set', 'route-set', 'rtr-set'],
  actions: ['modify'],
  check: ({ object, stored, key }, { referrers }) => {
    if (stored === undefined || !tightens(stored, object)) return [];
    const losing = referrers.filter((referrer) => losesMember(stored, object, referrer, key.folded));
    return losing.length > 0 ? [messages.membersByRefChanged(losing.map(writtenKey))] : [];
  },
};

/** Whether `mbrs-by-ref` changed, and now names maintainers (neither empty nor ANY). */
export function tightens(stored: RpslObject, object: RpslObject): boolean {
  const now = membersByReference(object);
  return now.length > 0 && !now.includes('any') && membersByReference(stored).join() !== now.join();
}

/** Whether a set, whose key is folded, no longer accepts a member. */
export function losesMember(before: RpslObject, after: RpslObject, member: RpslObject, key: string): boolean {
  const isMember = valuesOf(member, 'member-of').some((set) => set.toLowerCase() === key);
  return isMember && accepts(before, member) && !accepts(after, member);
}

/** A set that some `member-of` names cannot be deleted, whether or not it accepts that member. */
export const setMembersLeft: Rule = {
  id: 'G-SET-MEMBERS-LEFT',
  types: ['as-set', 'route-set', 'rtr-set'],
  actions: ['delete'],
  check: ({ object, key }, { referrers }) =>
    referrers.some((referrer) => valuesOf(referrer, 'member-of').some((set) => set.toLowerCase() === key.folded))
      ? [messages.isReferenced(object.type, key.shown)]
      : [],
};

/** A filter-set has `filter` or `mp-filter`, a peering-set `peering` or `mp-peering`: exactly one of them. */
export const setOneOf: Rule = {
  id: 'G-SET-ONE-OF',
  types: ['peering-set', 'filter-set'],
  actions: ['create', 'modify'],
  check: ({ object }) => {
    const name = object.type === 'peering-set' ? 'peering' : 'filter';
    const [one, other] = [hasAttribute(object, name), hasAttribute(object, `mp-${name}`)];
    if (one !== other) return [];
    return one
      ? [messages.cannotContainBoth(object.type, name, `mp-${name}`)]
      : [messages.mustContainEither(object.type, name, `mp-${name}`)];
  },
};

/** The parent of a hierarchical set exists. Strategy `parentOfSet` decides who may create a set under it. */
export const setParentExists: Rule = {
  id: 'G-SET-PARENT',
  types: ['as-set', 'route-set', 'rtr-set', 'filter-set', 'peering-set'],
  actions: ['create'],
  check: ({ object, key }, { after }) => {
    const parent = setParent(object.type, key.shown);
    return parent === undefined || findKnown(after, [parent.type], parent.key) !== undefined
      ? []
      : [messages.setParentNotFound(parent.shown)];
  },
};

/** Whether a set accepts a member: `mbrs-by-ref` is ANY or names one of the member's maintainers. */
function accepts(set: RpslObject, member: RpslObject): boolean {
  const maintainers = folded(member, 'mnt-by');
  return folded(set, 'mbrs-by-ref').some((name) => name === 'any' || maintainers.includes(name));
}

/** The values of `mbrs-by-ref`: lower case, sorted. */
function membersByReference(set: RpslObject): string[] {
  return folded(set, 'mbrs-by-ref').sort();
}

function folded(object: RpslObject, attribute: string): string[] {
  return valuesOf(object, attribute).map((value) => value.toLowerCase());
}
