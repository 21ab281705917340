import { type NamedObject } from '../api/words.js';
/**
 * The objects whose key, handle or name begins with what the user types. Empty while the registry does not answer; a
 * registry that has no suggestions is not asked again.
 */
export declare function useSearchSuggestions(text: string, isWanted: boolean): readonly NamedObject[];
/** Whether a text may be the beginning of a key or name: no flags, URLs, mailboxes or long texts. */
export declare function isBeginning(text: string): boolean;
