import type { ResourceDescription } from '@cadastre/client';
/** Resources of one request. */
export declare const mostInRequest = 10000;
/**
 * Looks up at most 10,000 resources; yields their descriptions in order, as they arrive. Throws a RequestFailed, also
 * when the response breaks off.
 */
export declare function lookUpResources(resources: readonly string[], signal: AbortSignal): AsyncGenerator<readonly ResourceDescription[]>;
