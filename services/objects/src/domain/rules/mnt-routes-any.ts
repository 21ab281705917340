import { messages } from '@cadastre/rpsl';
import { parseMntRoutes } from '../mnt-routes.js';
import { valuePlaces } from '../places.js';
import type { Rule } from './rule.js';

/** A maintainer who may make any route is not given a list beside it. */
export const mntRoutesAny: Rule = {
  id: 'G-MNTROUTES-ANY',
  types: ['inetnum', 'inet6num', 'route', 'route6'],
  actions: ['create', 'modify'],
  check: ({ object }) => {
    const values = valuePlaces(object, 'mnt-routes').map((place) => ({ place, ...parseMntRoutes(place.value) }));
    const groups = [...Map.groupBy(values, ({ mntner }) => mntner).values()];
    const mixed = groups.filter((g) => g.some((v) => v.ranges.length === 0) && g.some((v) => v.ranges.length > 0));
    return mixed
      .flat()
      .map(({ place }) => messages.syntaxErrorBecause(place.value, 'ANY can only occur as a single value', place));
  },
};
