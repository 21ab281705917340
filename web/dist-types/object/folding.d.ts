import type { ShownAttribute } from '../api/objects.js';
/** A stretch of an object. */
export interface Stretch {
    readonly attributes: readonly ShownAttribute[];
    readonly isFolded: boolean;
}
/** An object in stretches: what is beyond the first 100 lines of an attribute is folded. */
export declare function stretchesOf(attributes: readonly ShownAttribute[]): Stretch[];
/** What a folded stretch has: `2,900 more lines of members`. */
export declare function foldedText({ attributes }: Stretch): string;
