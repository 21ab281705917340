import { type RoaServiceService, RoaState } from '@cadastre/proto/search';
import type { Validity } from '@cadastre/roa';
import { type Handlers, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';

const maxRoutes = 1000;

const states: Readonly<Record<Validity, RoaState>> = {
  valid: RoaState.ROA_STATE_VALID,
  invalid: RoaState.ROA_STATE_INVALID,
  'not found': RoaState.ROA_STATE_NOT_FOUND,
};

/** Compares routes with the current payloads; does not wait. */
export function batchValidateRoutes({
  validateRoute,
  findConflict,
}: Pick<Context, 'validateRoute' | 'findConflict'>): Handlers<typeof RoaServiceService>['batchValidateRoutes'] {
  return async ({ routes }) => {
    if (routes.length > maxRoutes) throw new ServiceError('invalid', `At most ${maxRoutes} routes in one call`);
    return {
      states: routes.map(({ prefix, origin }) => {
        const validity = validateRoute(prefix, origin);
        return validity === undefined ? RoaState.ROA_STATE_UNSPECIFIED : states[validity];
      }),
      conflicts: routes.flatMap(({ prefix, origin }, route) => {
        const roa = findConflict(prefix, origin);
        return roa ? [{ route, prefix: roa.text, maxLength: roa.maxLength, origin: roa.asn }] : [];
      }),
    };
  };
}
