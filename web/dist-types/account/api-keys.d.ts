/** The API keys of the account: creates, lists and revokes them. */
export declare function ApiKeys(): import("preact").JSX.Element;
