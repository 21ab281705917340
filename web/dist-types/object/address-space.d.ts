import { type AddressRange } from '@cadastre/rpsl';
import type { ShownObject } from '../api/objects.js';
import type { ObjectName } from '../paths.js';
/** An object in the address tree. */
export interface Node {
    readonly object: ShownObject;
    readonly range: AddressRange;
}
/** Whether objects of a type are address space, which may have reverse zones. */
export declare function isNetwork(type: string): boolean;
/** The addresses of an object of an address type; `undefined` for others. */
export declare function addressesOf({ type, key }: ObjectName): AddressRange | undefined;
/** The objects that have addresses: larger ranges first, then by address. */
export declare function nodesOf(objects: readonly ShownObject[]): Node[];
/** Whether a range is all addresses of its family. */
export declare function isWhole({ family, first, last }: AddressRange): boolean;
/** The position of a range in an enclosing one: start and width, as fractions of 1. */
export declare function placeIn(outer: AddressRange, inner: AddressRange): {
    start: number;
    width: number;
};
/** The number of addresses of a range, in short: "256 addresses", "2^96 addresses". */
export declare function sizeText({ first, last }: AddressRange): string;
