/** The maintainers that the account acts for, each with its objects. */
export declare function MaintainerList(): import("preact").JSX.Element;
