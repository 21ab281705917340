import { parseResource } from '@cadastre/rpsl';
import { coveredRoute } from './covered-route.js';
import type { RoaIndex } from './roa-index.js';
import { type Validity, validityOf } from './validity.js';

/** The state of a prefix and its origin; undefined without payloads, and for texts that are not a route. */
export type ValidateRoute = (prefix: string, origin: string) => Validity | undefined;

/** Compares routes with the current payloads. */
export function routeValidator(payloads: () => RoaIndex | undefined): ValidateRoute {
  return (prefix, origin) => {
    const covered = coveredRoute(payloads(), parseResource(prefix), origin);
    return covered && validityOf(covered.announcement, covered.covering);
  };
}
