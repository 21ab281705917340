import { type ObjectName } from '../paths.js';
/** What may be wrong with the objects of the maintainers. */
export declare function ObjectWarnings({ maintainers }: {
    readonly maintainers: readonly ObjectName[];
}): import("preact").JSX.Element;
