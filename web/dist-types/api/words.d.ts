import type { ObjectName } from '../paths.js';
/** An object that a search for words found, or that the registry suggests. */
export interface NamedObject {
    readonly name: ObjectName;
    /** Its netname, name or first description, if it has one. */
    readonly title?: string;
}
/** A search for words in names, descriptions, remarks and addresses. */
export interface WordQuery {
    readonly text: string;
    readonly types: readonly string[];
    readonly sources: readonly string[];
    /** The cursor of the page before; empty for the first page. */
    readonly after: string;
    readonly limit: number;
}
/** What a search for words found. */
export interface FoundWords {
    /** The number of objects by type, on all pages. */
    readonly counts: readonly {
        readonly type: string;
        readonly objects: number;
    }[];
    /** Whether there are more objects than the registry counted. */
    readonly isPartial: boolean;
    /** The best ones, with some of the lines that have the words. */
    readonly found: readonly FoundByWords[];
    /** Where the next page begins; absent on the last one. */
    readonly next?: string;
}
/** An object with lines that have the words. */
export interface FoundByWords extends NamedObject {
    readonly matches: readonly {
        readonly attribute: string;
        readonly value: string;
    }[];
}
/** Searches for words. Throws a RequestFailed; 404 and 501 from a registry without this search. */
export declare function searchWords(query: WordQuery, signal?: AbortSignal): Promise<FoundWords>;
/** The objects whose key, handle or name begins with a text, the best first. Throws a RequestFailed. */
export declare function suggest(beginning: string, signal?: AbortSignal): Promise<NamedObject[]>;
