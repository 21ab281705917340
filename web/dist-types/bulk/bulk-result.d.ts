import { type BulkRow } from './bulk-lookup.js';
/** The rows of a lookup: filtered, sorted, page by page. */
export declare function BulkResult({ rows }: {
    readonly rows: readonly BulkRow[];
}): import("preact").JSX.Element;
