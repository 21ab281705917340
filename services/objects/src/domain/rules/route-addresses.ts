import { addressesOf } from '../numbers.js';
import { valuePlaces } from '../places.js';
import { checkInside } from './range-check.js';
import type { Rule } from './rule.js';

/** Holes and test addresses lie inside the route. */
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
