import type { Past } from '../past/past.js';
import { type ObjectName } from '../paths.js';
/** Copies an object in one of the formats of the REST interface. */
export declare function CopyObject({ name, past }: {
    readonly name: ObjectName;
    readonly past: Past | undefined;
}): import("preact").JSX.Element;
