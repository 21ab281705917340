import { parseAsNumber, prefixLength, type Resource } from '@cadastre/rpsl';
import type { CoveringRoa, RoaIndex } from './roa-index.js';
import type { Announcement } from './validity.js';

/** The announcement of a route, with the payloads that decide whether it is valid. */
interface CoveredRoute {
  readonly family: 4 | 6;
  readonly announcement: Announcement;
  /** The payloads whose prefix contains that of the route. */
  readonly covering: readonly CoveringRoa[];
}

/** Finds the payloads for a prefix and its origin; undefined without payloads, and for texts that are not a route. */
export function coveredRoute(
  payloads: RoaIndex | undefined,
  range: Resource | undefined,
  originText: string,
): CoveredRoute | undefined {
  const origin = parseAsNumber(originText);
  if (payloads === undefined || range === undefined || 'as' in range || origin === undefined) return undefined;
  const length = prefixLength(range);
  if (length === undefined) return undefined;
  const { family, first } = range;
  return { family, announcement: { length, origin }, covering: payloads.covering({ family, first, length }) };
}
