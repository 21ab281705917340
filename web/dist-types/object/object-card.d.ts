import type { ShownObject } from '../api/objects.js';
/** One object of a result. */
export declare function ObjectCard({ object }: {
    readonly object: ShownObject;
}): import("preact").JSX.Element;
