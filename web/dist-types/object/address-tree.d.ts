import type { Moment } from '../past/past.js';
import { type ObjectName } from '../paths.js';
import './address-tree.css';
/** Whether objects of a type are in the address tree. */
export declare function hasAddressTree(type: string): boolean;
interface TreeProps {
    readonly name: ObjectName;
    /** The moment of the past that it shows; undefined for now. */
    readonly moment: Moment | undefined;
}
/** Shows the objects that enclose an object, those with the same addresses, and those inside, level by level. */
export declare function AddressTree({ name, moment }: TreeProps): import("preact").JSX.Element;
export {};
