/** A scrolled list of rows of one height, all in pixels. */
export interface Scrolled {
    readonly rowHeight: number;
    /** What is above its window. */
    readonly top: number;
    /** Of its window. */
    readonly height: number;
}
/** The rows to draw: from the first one up to, and without, the end. */
export declare function drawnRows(count: number, { rowHeight, top, height }: Scrolled): {
    first: number;
    end: number;
};
/** Where to scroll so that a row is in the window; `top` when it is already there. */
export declare function topFor(row: number, { rowHeight, top, height }: Scrolled): number;
/** A row as the keyboard knows it. */
export interface TreeRow {
    readonly depth: number;
    /** Whether the rows inside it are shown; undefined for a row that cannot be opened. */
    readonly isOpen?: boolean | undefined;
}
/** What a key does in a tree (WAI-ARIA tree view): goes to a row, or opens or closes the current one. */
export type KeyEffect = {
    readonly goTo: number;
} | 'toggle' | undefined;
/** The effect of a key at a row; `page` is the number of rows in the window. */
export declare function effectOf(key: string, rows: readonly TreeRow[], at: number, page: number): KeyEffect;
