import { type AddressRange } from '@cadastre/rpsl';
import type { ObjectName } from '../paths.js';
/** A network, and what tells it from others. */
export interface Network {
    readonly name: ObjectName;
    readonly range: AddressRange;
    readonly netname: string;
    readonly status: string;
}
/** A network of the account. */
export interface OwnNetwork extends Network {
    /** The attributes in which it names a mntner of the account. */
    readonly attributes: readonly string[];
}
/** A part of a range of addresses. */
export interface SpacePart {
    readonly range: AddressRange;
    /** How many of its addresses objects have. */
    readonly used: bigint;
    /** How many objects begin in it. */
    readonly objects: number;
}
/** What is registered in a range of addresses. */
export interface Space {
    readonly range: AddressRange;
    readonly source: string;
    readonly type: string;
    readonly used: bigint;
    readonly objects: number;
    /** Whether there are more objects, of which nothing is told. */
    readonly isPartial: boolean;
    /** The objects that have or enclose the range, smallest first. */
    readonly enclosing: readonly Network[];
    readonly parts: readonly SpacePart[];
    /** The outermost objects inside; small ones are missing where there are very many. */
    readonly inside: readonly SpaceObject[];
    /** The first free prefix of each length that has one, shorter ones first. */
    readonly free: readonly AddressRange[];
}
/** An object of address space. */
export type SpaceObject = Pick<Network, 'name' | 'range'>;
/** The outermost networks of the account. */
export interface OwnSpaceList {
    readonly networks: readonly OwnNetwork[];
    /** Whether there are more. */
    readonly isIncomplete: boolean;
}
/** The outermost networks of the account. Throws a RequestFailed. */
export declare function listOwnSpace(signal?: AbortSignal): Promise<OwnSpaceList>;
/** Tells what is registered in a prefix or range. Throws a RequestFailed: 400 for other texts. */
export declare function describeSpace(range: string, signal?: AbortSignal): Promise<Space>;
