/** Validated ROA payloads (RFC 6811): read from a validator, and compared with routes. */
export type { CheckRoute } from './check-route.js';
export { chooseRoa } from './choose-roa.js';
export type { CoveringRoa, PlacedRoa, RoaIndex } from './roa-index.js';
export type { RoaPayloads } from './roa-payloads.js';
export { roaSettings } from './roa-settings.js';
export * from './route-policy.js';
export { routeShowing, type ShowRoute } from './shown-routes.js';
export { conflictFinder, type FindConflict, routeValidator, type ValidateRoute } from './validate-route.js';
export { conflictOf, type Validity } from './validity.js';
