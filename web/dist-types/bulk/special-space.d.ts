/** What a part of the number space is reserved for (IANA's registries of special-purpose addresses and AS numbers). */
export interface SpecialSpace {
    readonly name: string;
    /** Whether nobody outside a network can know who uses it. */
    readonly isLocal: boolean;
}
interface Reserved extends SpecialSpace {
    readonly space: 'ipv4' | 'ipv6' | 'as';
    readonly first: bigint;
    readonly last: bigint;
}
/** The special space that has all of a range; undefined for ordinary numbers. */
export declare function specialSpaceOf(space: Reserved['space'], first: bigint, last: bigint): SpecialSpace | undefined;
export {};
