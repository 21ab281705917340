import { type BulkRow } from './bulk-lookup.js';
/** The columns of the table. */
export declare const columns: readonly ["resource", "network", "holder", "country", "abuse", "origin"];
export type Column = (typeof columns)[number];
/** Which rows of a lookup to see, and in which order. */
export interface TableView {
    readonly filter: string;
    readonly kind: Kind;
    /** Undefined for the order of the text. */
    readonly sort: Column | undefined;
    readonly isDescending: boolean;
}
export declare const firstView: TableView;
/** Rows to choose from. */
declare const kinds: {
    readonly all: () => true;
    readonly registered: ({ answer }: BulkRow) => boolean;
    readonly 'not registered': (row: BulkRow) => boolean;
    readonly 'without abuse contact': ({ answer }: BulkRow) => boolean;
    readonly 'without route': ({ answer }: BulkRow) => boolean;
    readonly 'with an invalid route': ({ answer }: BulkRow) => boolean;
    readonly 'not looked up': (row: BulkRow) => boolean;
};
export type Kind = keyof typeof kinds;
export declare const kindNames: Kind[];
/** Why a row has no answer; empty when it has one. */
export declare function noteOf(row: BulkRow): string;
/** The rows of a view, in its order. Rows without a value come last. */
export declare function viewRows(rows: readonly BulkRow[], { filter, kind, sort, isDescending }: TableView): BulkRow[];
/** The rows as CSV (RFC 4180). */
export declare function csvOf(rows: readonly BulkRow[]): string;
/** The rows as JSON: the answers of the registry, with counts and notes. */
export declare function jsonOf(rows: readonly BulkRow[]): string;
export {};
