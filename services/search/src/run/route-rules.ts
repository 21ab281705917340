import type { RouteView } from '@cadastre/roa';
import { isNonAuthoritative, nonAuthoritativeName } from '@cadastre/rpsl';
import type { AnnotatedObject } from '../annotations/holders.js';
import type { Context } from '../context.js';

/** Which routes an answer leaves out, and which it marks, because ROAs make them invalid. */
export type RouteRules = ReturnType<typeof routeRules>;

/** The rules of answers. Throw a ServiceError (unavailable) while the ROAs that they need are unknown. */
export function routeRules(
  { showRoute, routePolicy, sources: { main } }: Pick<Context, 'showRoute' | 'routePolicy' | 'sources'>,
  view: RouteView,
) {
  const foreign = nonAuthoritativeName(main);
  const hasParts = routePolicy(main) !== routePolicy(foreign);
  // Reading `object` may parse it.
  const showing = (one: AnnotatedObject) => {
    const { source, type, key } = one.stored;
    if (type !== 'route' && type !== 'route6') return 'plain';
    const isForeign = hasParts && source === main && isNonAuthoritative(one.object, main);
    return showRoute({ source: isForeign ? foreign : source, key }, view);
  };
  return {
    leavesOut: (one: AnnotatedObject): boolean => showing(one) === 'left out',
    marks: (one: AnnotatedObject): boolean => showing(one) === 'marked',
  };
}
