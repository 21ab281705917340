/** The sources, and how current copies of other registries are. */
export declare function SourcesPage(): import("preact").JSX.Element;
