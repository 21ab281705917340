/** A query and its result; the URL is a permalink. */
export declare function QueryPage({ query }: {
    readonly query: URLSearchParams;
}): import("preact").JSX.Element;
