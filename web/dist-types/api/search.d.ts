import type { Message } from './message.js';
import { type ShownObject } from './objects.js';
/** A question to the registry (GET /search). */
export interface Query {
    readonly text: string;
    readonly types?: readonly string[];
    readonly sources?: readonly string[];
    readonly inverse?: readonly string[];
    /** Long names: `all-less`, `no-referenced`, ... */
    readonly flags?: readonly string[];
    readonly limit?: number;
    readonly offset?: number;
}
/** What was found, and what there is to say about it. */
export interface Found {
    readonly objects: readonly ShownObject[];
    readonly messages: readonly Message[];
}
/** Searches; nothing found is a result. Throws a RequestFailed. */
export declare function search(query: Query, signal?: AbortSignal): Promise<Found>;
