import { answerOf, registry } from './registry.js';

/** How a route compares with ROAs (RFC 6811). */
export type RoaState = 'valid' | 'invalid' | 'not-found';

/**
 * The states of the routes to some addresses, by the keys of the routes in lower case; without those that the registry
 * does not know. Throws a RequestFailed.
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
  return new Map(routes.flatMap(({ prefix, origin, roa }) => (roa ? [[`${prefix}${origin}`.toLowerCase(), roa]] : [])));
}
