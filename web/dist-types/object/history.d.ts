import type { ObjectName } from '../paths.js';
/** The versions of an object, and how any two differ. */
export declare function History({ name }: {
    readonly name: ObjectName;
}): import("preact").JSX.Element;
