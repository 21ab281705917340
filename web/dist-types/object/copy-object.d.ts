import type { ObjectName } from '../paths.js';
/** Copies an object in one of the formats of the REST interface. */
export declare function CopyObject({ name }: {
    readonly name: ObjectName;
}): import("preact").JSX.Element;
