import './resources-page.css';
/** The resources of the account, or the map of the range of addresses that the address of the page names. */
export declare function ResourcesPage({ query }: {
    readonly query: URLSearchParams;
}): import("preact").JSX.Element;
