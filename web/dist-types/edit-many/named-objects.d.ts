import { type ObjectName } from '../paths.js';
/** The objects that a text names, and the lines that name none. */
export interface NamedObjects {
    /** Each once, in their order. */
    readonly names: readonly ObjectName[];
    readonly unknown: readonly string[];
}
/**
 * Reads names of objects, one on each line: `type key`, `type: key`, the address of a page or of the REST interface, or
 * a key alone where its form tells the type. Skips blank lines and comments.
 */
export declare function readNames(text: string, source: string): NamedObjects;
/** The names as text, which `readNames` reads. */
export declare function namesText(names: readonly ObjectName[]): string;
