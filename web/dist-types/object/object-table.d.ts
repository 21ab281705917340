import type { Query } from '../api/search.js';
import { type RowChoice } from './object-rows.js';
import './object-table.css';
interface ObjectTableProps {
    /** Finds the objects of the table. The table of another query needs another key. */
    readonly query: Query;
    readonly caption: string;
    /** What stands in its place when there are no objects. */
    readonly empty: string;
    /** How many objects there are; undefined when that is not known. */
    readonly total: number | undefined;
    readonly choice: RowChoice;
    readonly choose: (choice: RowChoice) => void;
}
/** A table of objects that reads further ones on request. To filter or to sort, it reads several pages at once. */
export declare function ObjectTable({ query, caption, empty, total, choice, choose }: ObjectTableProps): import("preact").JSX.Element;
/** A number for people: `1,232`. */
export declare function number(value: number): string;
export {};
