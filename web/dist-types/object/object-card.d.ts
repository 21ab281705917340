import type { ShownObject } from '../api/objects.js';
import type { Moment } from '../past/past.js';
/** One object of a result. */
export declare function ObjectCard({ object, moment }: {
    readonly object: ShownObject;
    readonly moment: Moment | undefined;
}): import("preact").JSX.Element;
