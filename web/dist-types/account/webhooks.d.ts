/** The webhooks of the account: creates, shows and changes them. Nothing where the registry has none. */
export declare function Webhooks(): import("preact").JSX.Element | null;
