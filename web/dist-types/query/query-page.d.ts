/** A question and its result; its address is a permalink. */
export declare function QueryPage({ query }: {
    readonly query: URLSearchParams;
}): import("preact").JSX.Element;
