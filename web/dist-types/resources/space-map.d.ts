interface SpaceMapProps {
    readonly range: string;
    /** The length of the free prefix that the user wants. */
    readonly length: number | undefined;
}
/** What is used and free in a range of addresses: its map, the next free prefix, and the networks inside. */
export declare function SpaceMap({ range, length }: SpaceMapProps): import("preact").JSX.Element;
export {};
