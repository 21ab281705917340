import { type ObjectName } from '../paths.js';
import './address-tree.css';
/** Whether objects of a type lie in the address tree. */
export declare function hasAddressTree(type: string): boolean;
/** What encloses an object, what has the same addresses, and the first level of what lies in it. */
export declare function AddressTree({ name }: {
    readonly name: ObjectName;
}): import("preact").JSX.Element;
