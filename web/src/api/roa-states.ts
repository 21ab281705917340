import { answerOf, registry } from './registry.js';

/** How a route compares with ROAs (RFC 6811). */
export type RoaState = 'valid' | 'invalid' | 'not-found';

/**
 * The states of the routes to some addresses, by `routeText`; without those that the registry does not know. Throws a
 * RequestFailed.
 */
export async function findRoaStates(
  addresses: readonly string[],
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, RoaState>> {
  const { resources } = await answerOf(
    registry.POST('/bulk-lookup', {
      body: { resources: [...addresses] },
      headers: { accept: 'application/json' },
      signal,
    }),
  );
  const routes = resources.flatMap((resource) => resource.routes);
  return new Map(routes.flatMap(({ prefix, origin, roa }) => (roa ? [[routeText(prefix, origin), roa]] : [])));
}

/** A route as a key. */
export function routeText(prefix: string, origin: string): string {
  return `${prefix}${origin}`.toLowerCase();
}
