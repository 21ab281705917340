import { parseMntRoutes } from '../mnt-routes.js';
import { addressesOf } from '../numbers.js';
import { valuePlaces } from '../places.js';
import { checkInside } from './range-check.js';
import type { Rule } from './rule.js';

/** Prefixes for which routes may be made lie inside the object; nothing is looked at after a value that means any. */
export const mntRoutesRange: Rule = {
  id: 'G-MNTROUTES-RANGE',
  types: ['inetnum', 'inet6num'],
  actions: ['create', 'modify'],
  check: ({ object }) => {
    const outer = addressesOf(object);
    const values = valuePlaces(object, 'mnt-routes').map((place) => ({ place, ...parseMntRoutes(place.value) }));
    const unlimited = values.findIndex(({ ranges }) => ranges.length === 0);
    const listed = unlimited < 0 ? values : values.slice(0, unlimited);
    return outer === undefined
      ? []
      : listed.flatMap(({ place, ranges }) =>
          ranges.flatMap((range) => checkInside(outer, range.replace(/\^.*$/, ''), range, place)),
        );
  },
};
