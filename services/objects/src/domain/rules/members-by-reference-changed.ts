import { messages, primaryKey, type RpslObject, valuesOf } from '@cadastre/rpsl';
import type { Rule } from './rule.js';
import { accepts, membersByReference } from './set-membership.js';

/** Warns when members lose what lets them claim a set. */
export const membersByReferenceChanged: Rule = {
  id: 'G-MBRSBYREF-CHANGED',
  types: ['as-set', 'route-set', 'rtr-set'],
  actions: ['modify'],
  check: ({ object, stored, key }, { referrers }) => {
    if (stored === undefined || !tightens(stored, object)) {
      return [];
    }
    const losing = referrers.filter(
      (referrer) =>
        valuesOf(referrer, 'member-of').some((set) => set.toLowerCase() === key.folded) &&
        accepts(stored, referrer) &&
        !accepts(object, referrer),
    );
    return losing.length > 0 ? [messages.membersByRefChanged(losing.map(shownKey))] : [];
  },
};

/** Whether `mbrs-by-ref` changed to something that is neither nothing nor everybody. */
export function tightens(stored: RpslObject, object: RpslObject): boolean {
  const now = membersByReference(object);
  return now.length > 0 && !now.includes('any') && membersByReference(stored).join() !== now.join();
}

function shownKey(object: RpslObject): string {
  const key = primaryKey(object);
  return 'shown' in key ? key.shown : '';
}
