import { parseAsNumber, parseResource, prefixLength } from '@cadastre/rpsl';
import type { RoaIndex } from './roa-index.js';
import { type Validity, validityOf } from './validity.js';

/** The state of a prefix and its origin; undefined without payloads, and for texts that are no route. */
export type ValidateRoute = (prefix: string, origin: string) => Validity | undefined;

/** Compares routes with the current payloads. */
export function routeValidator(payloads: () => RoaIndex | undefined): ValidateRoute {
  return (prefix, originText) => {
    const known = payloads();
    const range = parseResource(prefix);
    const origin = parseAsNumber(originText);
    if (known === undefined || range === undefined || 'as' in range || origin === undefined) return undefined;
    const length = prefixLength(range);
    if (length === undefined) return undefined;
    const { family, first } = range;
    return validityOf({ length, origin }, known.covering({ family, first, length }));
  };
}
