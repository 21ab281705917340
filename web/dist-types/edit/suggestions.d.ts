import type { ObjectName } from '../paths.js';
/** An object that a value may name. */
export interface Suggestion {
    readonly key: string;
    /** A description for users. */
    readonly label: string;
}
/**
 * The objects that the value of an attribute may name: the user's own maintainers, and search results for the text so
 * far. Empty for attributes without references, and while the registry does not respond.
 */
export declare function useSuggestions(attribute: string, source: string, value: string, maintainers: readonly ObjectName[], isWanted: boolean): Suggestion[];
