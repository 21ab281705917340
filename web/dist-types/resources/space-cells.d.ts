import { type AddressRange } from '@cadastre/rpsl';
import type { Space, SpaceObject } from '../api/space.js';
/** A cell of the map of a range. */
export interface Cell {
    readonly range: AddressRange;
    /** The used part of its addresses, from 0 to 1; 0 and 1 only if they are all free or all used. */
    readonly share: number;
    /** What it says: its addresses, and how many of them are used. */
    readonly label: string;
    /** Where it leads: to the map of its addresses, or of the object that has all of them. */
    readonly leadsTo: {
        readonly kind: 'space';
        readonly range: AddressRange;
    } | ({
        readonly kind: 'object';
    } & SpaceObject)
    /** Nothing is registered there, and a map would have one cell. */
     | {
        readonly kind: 'free';
    };
}
/** The cells of a map. */
export declare function cellsOf({ range: whole, parts, inside, isPartial }: Space): Cell[];
/** A share in words: "none", "less than 1%", "37%", "more than 99%", "all". */
export declare function shareText(used: bigint, size: bigint): string;
/**
 * The free prefix that a form offers: that of the wanted length, or of the usual one; without one the next smaller
 * prefix, else the smallest.
 */
export declare function offeredPrefix(free: readonly AddressRange[], family: 4 | 6, wanted: number | undefined): AddressRange | undefined;
