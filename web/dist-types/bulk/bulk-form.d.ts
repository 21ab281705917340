import { type FoundResources } from './find-resources.js';
/** Takes a text or a file, and finds its resources in the browser. */
export declare function BulkForm({ onStart }: {
    readonly onStart: (found: FoundResources) => void;
}): import("preact").JSX.Element;
