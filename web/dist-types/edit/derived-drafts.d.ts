import { type Draft } from './draft.js';
/**
 * A new object with the attributes of another one (RPSL), but without its key, without generated attributes and without
 * what its reader may not see. Known values replace those of the key and of `source`. Without a text, it is a new object
 * with the known values.
 */
export declare function draftLike(type: string, text: string, known: Readonly<Record<string, string>>): Draft;
/**
 * An object with the attributes of one of its versions (RPSL). What versions leave out, and what the registry
 * generates, is as in the current state and at its place there; of a deleted object (an empty text) it is missing.
 * Returns undefined for a text that is no object.
 */
export declare function restoredDraft(version: string, current: string): Draft | undefined;
