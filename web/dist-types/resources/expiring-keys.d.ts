/** Warns of API keys that expire soon. Nothing without them: the account page shows all keys, and errors. */
export declare function ExpiringKeys(): import("preact").JSX.Element | null;
