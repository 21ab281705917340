/** Creates a key. Shows its credential once; only this component holds it. */
export declare function NewApiKey({ made }: {
    readonly made: () => void;
}): import("preact").JSX.Element;
