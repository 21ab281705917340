import type { Message } from '@cadastre/proto/registry';
import { firstValueOf, type RpslObject, rangeOf } from '@cadastre/rpsl';
import { conflictMessage } from './conflict-message.js';
import { coveredRoute } from './covered-route.js';
import type { RoaIndex } from './roa-index.js';
import { conflictOf } from './validity.js';

/** Compares a route or route6 with ROAs: one warning, or none when it agrees. */
export type CheckRoute = (route: RpslObject) => readonly Message[];

/** Compares routes with the current payloads; returns no warning while there are none. */
export function routeCheck(payloads: () => RoaIndex | undefined): CheckRoute {
  return (route) => {
    const covered = coveredRoute(payloads(), rangeOf(route), firstValueOf(route, 'origin') ?? '');
    const conflict = covered && conflictOf(covered.announcement, covered.covering);
    return conflict ? [conflictMessage(covered.family === 4 ? 'route' : 'route6', conflict)] : [];
  };
}
