/** Creates a maintainer and its person together, because each names the other. */
export declare function FirstMaintainer({ source }: {
    readonly source: string;
}): import("preact").JSX.Element;
