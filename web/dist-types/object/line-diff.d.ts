/** A line of two texts, side by side: in both, or only in the one before or the one after. */
export interface DiffLine {
    readonly kind: 'same' | 'removed' | 'added';
    readonly text: string;
}
/** How a text became another, by lines: the fewest lines removed and added. */
export declare function diffLines(before: string, after: string): DiffLine[];
