import type { Message } from './message.js';
import { type ShownObject } from './objects.js';
/** A query to the registry (GET /search). */
export interface Query {
    readonly text: string;
    readonly types?: readonly string[];
    readonly sources?: readonly string[];
    readonly inverse?: readonly string[];
    /** Long names: `all-less`, `no-referenced`, ... */
    readonly flags?: readonly string[];
    readonly limit?: number;
    readonly offset?: number;
    /** Where a page begins that another one named; the offset counts from there. */
    readonly cursor?: string;
    /** A moment of the past: a serial, a date or a time. */
    readonly asOf?: string;
    /** Asks for holders and abuse contacts of resources, and for conflicts of routes with ROAs. Not for the past. */
    readonly annotated?: boolean;
}
/** Where the next page of a search begins. */
export type NextPage = Pick<Query, 'cursor' | 'offset'>;
/** The found objects and the messages about the query. */
export interface Found {
    readonly objects: readonly ShownObject[];
    readonly messages: readonly Message[];
    /** With a limit, where the objects after these begin, if there are more. */
    readonly next?: NextPage;
}
/** Searches; an empty result is not an error. Throws a RequestFailed. */
export declare function search(query: Query, signal?: AbortSignal): Promise<Found>;
/** The number of objects of each type that an inverse lookup finds, in the order of results. */
export interface TypeCounts {
    readonly types: readonly {
        readonly type: string;
        readonly objects: number;
    }[];
    /** Whether there are more than these. */
    readonly isPartial: boolean;
}
/** Counts the objects in which one of these attributes has a value. Throws a RequestFailed. */
export declare function countReferrers({ text, source, inverse }: {
    readonly text: string;
    readonly source: string;
    readonly inverse: readonly string[];
}, signal?: AbortSignal): Promise<TypeCounts>;
/** The parameters of GET /search for a URL. */
export declare function searchParameters(query: Query): URLSearchParams;
