import { type Query } from '../api/search.js';
import { type Row } from './object-rows.js';
/** The rows of a search so far. */
export interface RowReading {
    readonly rows: readonly Row[];
    /** Whether there are no more. */
    readonly isComplete: boolean;
    readonly isReading: boolean;
    /** Why the next page could not be read. */
    readonly error?: unknown;
    /** Reads that page again. */
    readonly retry: () => void;
}
/** Reads the objects of a search page by page, until there are `wanted` rows. The search must stay the same. */
export declare function useRows(query: Query, wanted: number): RowReading;
