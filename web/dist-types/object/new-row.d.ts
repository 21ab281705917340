/** The body of a table to which rows are added, and what moves the focus to the first new row once that is there. */
export declare function useFocusOnNewRow(rows: number, isComplete: boolean): readonly [import("preact").RefObject<HTMLTableSectionElement | null>, () => void];
