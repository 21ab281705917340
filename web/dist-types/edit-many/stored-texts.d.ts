import { type TaggedText } from '../api/objects.js';
import { type Loaded } from '../design/load.js';
import { type ObjectName } from '../paths.js';
/** The stored objects by their paths; undefined for those that do not exist. */
export type StoredTexts = Map<string, TaggedText | undefined>;
/**
 * Looks up the objects that are not yet among `stored`, a few at a time, and puts them there. After a failure it begins
 * no more lookups, and throws; what it has found stays.
 */
export declare function lookUpMissing(names: readonly ObjectName[], stored: StoredTexts, lookUp: (name: ObjectName) => Promise<TaggedText>): Promise<StoredTexts>;
/** Looks up the stored objects of some names; `refresh` looks up all of them again. */
export declare function useStoredTexts(names: readonly ObjectName[]): {
    stored: Loaded<StoredTexts>;
    refresh: () => void;
};
