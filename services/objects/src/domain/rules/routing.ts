import {
  type AddressRange,
  contains,
  firstValueOf,
  formatPrefix,
  type Message,
  messages,
  type Place,
  parseAsNumber,
  parseIpv4Range,
  parseIpv6Prefix,
} from '@cadastre/rpsl';
import { parseMntRoutes } from '../mnt-routes.js';
import { addressesOf } from '../numbers.js';
import { valuePlaces } from '../places.js';
import type { Rule } from './rule.js';

/** A maintainer has either ANY or lists of prefixes in `mnt-routes`, not both. */
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

/** Prefixes of `mnt-routes` lie inside the object. Values after the first ANY are not checked. */
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

/** No route for a bogon prefix (`CADASTRE_POLICY_*`). */
export const bogon: Rule = {
  id: 'G-BOGON',
  types: ['route', 'route6'],
  actions: ['create'],
  check: ({ object }, _facts, { bogons }) => {
    const prefix = addressesOf(object);
    return prefix !== undefined && bogons.some((one) => contains(one, prefix))
      ? [messages.bogon(formatPrefix(prefix))]
      : [];
  },
};

/** The origin of a route is not a reserved AS number. */
export const reservedOrigin: Rule = {
  id: 'G-ORIGIN-RESERVED',
  types: ['route', 'route6'],
  actions: ['create', 'modify'],
  check: ({ object }, _facts, { reservedAsNumbers }) => {
    const origin = parseAsNumber(firstValueOf(object, 'origin') ?? '');
    return origin !== undefined && reservedAsNumbers.some(({ first, last }) => first <= origin && origin <= last)
      ? [messages.reservedAsNumber(origin)]
      : [];
  },
};

/** `holes` and `pingable` lie inside the route. */
function insideRoute(id: string, attribute: 'holes' | 'pingable'): Rule {
  return {
    id,
    types: ['route', 'route6'],
    actions: ['create', 'modify'],
    check: ({ object }) => {
      const route = addressesOf(object);
      return route === undefined
        ? []
        : valuePlaces(object, attribute).flatMap((place) => checkInside(route, place.value, place.value, place));
    },
  };
}

export const routeHoles = insideRoute('G-ROUTE-HOLES', 'holes');
export const routePingable = insideRoute('G-ROUTE-PINGABLE', 'pingable');

/** The error when addresses are of the wrong family or lie outside the object; none otherwise. */
function checkInside(outer: AddressRange, addresses: string, shown: string, place: Place): Message[] {
  const inner = outer.family === 4 ? parseIpv4Range(addresses) : parseIpv6Prefix(addresses);
  if (inner === undefined) {
    return [outer.family === 4 ? messages.notIpv4(shown, place) : messages.notIpv6(shown, place)];
  }
  return contains(outer, inner) ? [] : [messages.outsideRange(shown, place)];
}
