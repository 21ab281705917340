import type { Query } from '../api/search.js';
/** Which part of the address tree around the term is asked for; empty for what fits it best. */
export type Level = '' | 'exact' | 'one-less' | 'all-less' | 'one-more' | 'all-more';
/** What the search form holds, and what stands in the address of a result. */
export interface Question {
    readonly text: string;
    readonly types: readonly string[];
    readonly source: string;
    readonly inverse: readonly string[];
    readonly level: Level;
    /** Other flags of the query interface by their long names. */
    readonly flags: readonly string[];
    readonly offset: number;
}
export declare const emptyQuestion: Question;
/** Objects on one page of a result. */
export declare const pageSize = 50;
/** The question that an address asks. */
export declare function readQuestion(parameters: URLSearchParams): Question;
/** The address of a question, without what is not asked. */
export declare function writeQuestion({ text, types, source, inverse, level, flags, offset }: Question): URLSearchParams;
/** The question as the registry takes it. */
export declare function queryOf({ text, types, source, inverse, level, flags, offset }: Question): Query;
