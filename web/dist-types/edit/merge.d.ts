import type { Written } from './draft.js';
/** Two changes of the same object: the attributes that both began with, and what each made of them. */
export interface ThreeTexts<T> {
    readonly stored: T;
    readonly theirs: T;
    readonly yours: T;
}
/** A stretch of attributes. `by` tells who changed it; undefined where both changed it differently: a conflict. */
export interface Stretch extends ThreeTexts<readonly Written[]> {
    readonly by: 'nobody' | 'you' | 'them' | 'both' | undefined;
    /** The merged attributes; in a conflict those of `stored`. */
    readonly merged: readonly Written[];
}
/** How to settle a conflict. */
export type Choice = 'theirs' | 'yours';
/**
 * Merges two changes of an object, attribute by attribute. A stretch that only one side changed is taken from that
 * side. Where both changed neighbouring attributes, each name is merged on its own: values that one side left alone are
 * taken from the other side, and values that both added are all taken if the type allows it (`isMultiple`).
 */
export declare function merge({ stored, theirs, yours }: ThreeTexts<readonly Written[]>, isMultiple: (name: string) => boolean): Stretch[];
/** Whether both sides changed it differently. */
export declare function isConflict({ by }: Stretch): boolean;
/** The attributes after a merge, with a choice for each conflict, by its index in the stretches. */
export declare function settled(stretches: readonly Stretch[], choices: ReadonlyMap<number, Choice>): Written[];
