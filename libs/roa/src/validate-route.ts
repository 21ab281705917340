import { parseResource } from '@cadastre/rpsl';
import { coveredRoute } from './covered-route.js';
import type { CoveringRoa, RoaIndex } from './roa-index.js';
import { conflictOf, type Validity, validityOf } from './validity.js';

/** The state of a prefix and its origin; undefined without payloads, and for texts that are not a route. */
export type ValidateRoute = (prefix: string, origin: string) => Validity | undefined;

/** Compares routes with the current payloads. */
export function routeValidator(payloads: () => RoaIndex | undefined): ValidateRoute {
  return (prefix, origin) => {
    const covered = coveredRoute(payloads(), parseResource(prefix), origin);
    return covered && validityOf(covered.announcement, covered.covering);
  };
}

/** A ROA that covers a prefix without authorising its origin; undefined when the route is not invalid. */
export type FindConflict = (prefix: string, origin: string) => CoveringRoa | undefined;

/** Finds such ROAs among the current payloads: one of the origin itself, else that of the warning. */
export function conflictFinder(payloads: () => RoaIndex | undefined): FindConflict {
  return (prefix, origin) => {
    const covered = coveredRoute(payloads(), parseResource(prefix), origin);
    const conflict = covered && conflictOf(covered.announcement, covered.covering);
    if (conflict === undefined) return undefined;
    const { announcement, covering } = covered!;
    return covering.find(({ asn }) => asn !== 0 && asn === announcement.origin) ?? conflict.roa;
  };
}
