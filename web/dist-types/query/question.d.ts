import type { Query } from '../api/search.js';
/** The part of the address tree around the term; empty for the best match. */
export type Level = '' | 'exact' | 'one-less' | 'all-less' | 'one-more' | 'all-more';
/** What each level finds. */
export declare const levelNames: Readonly<Record<Level, string>>;
/** What the flags of the search form do. */
export declare const flagNames: Readonly<Record<string, string>>;
/** The fields of the search form, and the parameters in the URL of a result. */
export interface Question {
    readonly text: string;
    readonly types: readonly string[];
    /** One source or several, with commas between them; empty for the registry's own. */
    readonly source: string;
    readonly inverse: readonly string[];
    readonly level: Level;
    /** Other flags of the query interface by their long names. */
    readonly flags: readonly string[];
    readonly offset: number;
    /** A moment of the past: a serial, a date or a time; empty for now. */
    readonly asOf: string;
    /** `words` searches in names, descriptions, remarks and addresses; empty searches keys and whole names. */
    readonly by: '' | 'words';
    /** Where a page of a search for words begins: the cursor of the page before; empty for the first page. */
    readonly after: string;
}
export declare const emptyQuestion: Question;
/** Number of objects on a page of a result. */
export declare const pageSize = 50;
/** Reads a query from URL parameters. */
export declare function readQuestion(parameters: URLSearchParams): Question;
/** The URL parameters of a query, without empty ones. */
export declare function writeQuestion(question: Question): URLSearchParams;
/** The query in the form of the registry. */
export declare function queryOf({ text, types, source, inverse, level, flags, offset, asOf }: Question): Query;
