import type { ComponentChildren } from 'preact';
import './tree-list.css';
import { type TreeRow } from './tree-window.js';
/** A row of a tree. */
export interface ShownRow extends TreeRow {
    /** Identifies the row in its tree. */
    readonly id: string;
    /** Its place among the rows of its level, from 1, and their number; -1 while it is unknown. */
    readonly place: number;
    readonly siblings: number;
    /** Whether it is what the page is about. */
    readonly isPresent?: boolean;
}
interface TreeListProps<R extends ShownRow> {
    readonly label: string;
    readonly rows: readonly R[];
    /** Shows or hides the rows inside a row. */
    readonly toggle: (row: R) => void;
    /** What Enter does. */
    readonly follow: (row: R) => void;
    readonly children: (row: R) => ComponentChildren;
}
/** A tree of any number of rows in a window that scrolls: draws only the rows that are in it. */
export declare function TreeList<R extends ShownRow>({ label, rows, toggle, follow, children }: TreeListProps<R>): import("preact").JSX.Element;
export {};
