import type { BatchResult } from '../api/batch.js';
/** The objects that were written together. */
export declare function SavedObjects({ results, again, }: {
    readonly results: readonly BatchResult[];
    readonly again: () => void;
}): import("preact").JSX.Element;
