/** How a route compares with ROAs (RFC 6811). */
export type RoaState = 'valid' | 'invalid' | 'not-found';
/**
 * The states of the routes to some addresses, by `routeText`; without those that the registry does not know. Throws a
 * RequestFailed.
 */
export declare function findRoaStates(addresses: readonly string[], signal?: AbortSignal): Promise<ReadonlyMap<string, RoaState>>;
/** A route as a key. */
export declare function routeText(prefix: string, origin: string): string;
