import { parseAsNumber } from '@cadastre/rpsl';
import { ServiceError } from '@cadastre/service';
import type { RoaPayloads } from './roa-payloads.js';
import { leavesOutInvalid, marksInvalid, type RoutePolicy, type RouteView } from './route-policy.js';

interface AnsweredRoute {
  /** Name of its source, in upper case. */
  readonly source: string;
  /** Its key: the prefix followed by the origin. */
  readonly key: string;
}

/** What an answer does with a route. */
type Showing = 'left out' | 'marked' | 'plain';

/** Decides for each route of an answer whether it is shown, by the policy of its source. */
export type ShowRoute = (route: AnsweredRoute, view: RouteView) => Showing;

/**
 * Applies a policy. Before the first ROAs no route is marked. Throws a ServiceError (unavailable) for a route that the
 * answer might have to leave out.
 */
export function routeShowing(policy: RoutePolicy, roa: Pick<RoaPayloads, 'current' | 'validateRoute'>): ShowRoute {
  return ({ source, key }, view) => {
    const ofSource = policy(source);
    if (!marksInvalid(ofSource)) return 'plain';
    const isLeftOut = leavesOutInvalid(ofSource, view);
    if (roa.current() === undefined) {
      if (isLeftOut) throw new ServiceError('unavailable', 'No ROAs have been read yet');
      return 'plain';
    }
    const { prefix, origin } = routeParts(key);
    if (roa.validateRoute(prefix, origin) !== 'invalid') return 'plain';
    return isLeftOut ? 'left out' : 'marked';
  };
}

/** The parts of the key of a route, in any letter case. A text without an origin has an empty one. */
function routeParts(key: string): { readonly prefix: string; readonly origin: string } {
  const at = key.toLowerCase().lastIndexOf('as');
  const origin = at < 0 ? '' : key.slice(at);
  return parseAsNumber(origin) === undefined ? { prefix: key, origin: '' } : { prefix: key.slice(0, at), origin };
}
