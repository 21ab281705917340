import { type ObjectName } from '../paths.js';
/** How many objects of each type the maintainers hold. */
export declare function HeldObjects({ maintainers }: {
    readonly maintainers: readonly ObjectName[];
}): import("preact").JSX.Element;
