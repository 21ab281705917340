import type { Message } from '@cadastre/proto/registry';
import { firstValueOf, parseAsNumber, prefixLength, type RpslObject, rangeOf } from '@cadastre/rpsl';
import { conflictMessage } from './conflict-message.js';
import type { RoaIndex } from './roa-index.js';
import { conflictOf } from './validity.js';

/** Compares a route or route6 with ROAs: one warning, or none when it agrees. */
export type CheckRoute = (route: RpslObject) => readonly Message[];

/** Compares routes with the current payloads; returns no warning while there are none. */
export function routeCheck(payloads: () => RoaIndex | undefined): CheckRoute {
  return (route) => {
    const known = payloads();
    const range = rangeOf(route);
    const origin = parseAsNumber(firstValueOf(route, 'origin') ?? '');
    if (known === undefined || range === undefined || !('family' in range) || origin === undefined) return [];
    const length = prefixLength(range);
    if (length === undefined) return [];
    const { family, first } = range;
    const conflict = conflictOf({ length, origin }, known.covering({ family, first, length }));
    return conflict === undefined ? [] : [conflictMessage(family === 4 ? 'route' : 'route6', conflict)];
  };
}
