import { type AddressRange } from '@cadastre/rpsl';
import type { ShownObject } from '../api/objects.js';
import type { ObjectName } from '../paths.js';
/** An object in the address tree. */
export interface Node {
    readonly object: ShownObject;
    readonly range: AddressRange;
}
/** The addresses of an object of an address type; `undefined` for others. */
export declare function addressesOf({ type, key }: ObjectName): AddressRange | undefined;
/** The objects that have addresses: larger ranges first, then by address. */
export declare function nodesOf(objects: readonly ShownObject[]): Node[];
/** Where a range lies in an enclosing one: start and width, as parts of 1. */
export declare function placeIn(outer: AddressRange, inner: AddressRange): {
    start: number;
    width: number;
};
/** How many addresses a range has, in short: "256 addresses", "2^96 addresses". */
export declare function sizeText({ first, last }: AddressRange): string;
