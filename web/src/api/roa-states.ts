import { optional } from './objects.js';
import { answered } from './registry.js';

/** How a route compares with ROAs (RFC 6811). */
export type RoaState = 'valid' | 'invalid' | 'not-found';

interface SentDescriptions {
  readonly resources: readonly {
    readonly routes: readonly { readonly prefix: string; readonly origin: string; readonly roa?: RoaState }[];
  }[];
}

/**
 * The states of the routes to some addresses, by `routeText`; without those that the registry does not know. Throws a
 * RequestFailed.
 */
export async function findRoaStates(resource: string, signal?: AbortSignal): Promise<ReadonlyMap<string, RoaState>> {
  const body = JSON.stringify({ resources: [resource] });
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const { resources } = await answered<SentDescriptions>('/bulk-lookup', {
    method: 'POST',
    headers,
    body,
    ...optional(signal),
  });
  const routes = resources.flatMap((one) => one.routes);
  return new Map(routes.flatMap(({ prefix, origin, roa }) => (roa ? [[routeText(prefix, origin), roa]] : [])));
}

/** A route as a key. */
export function routeText(prefix: string, origin: string): string {
  return `${prefix}${origin}`.toLowerCase();
}
