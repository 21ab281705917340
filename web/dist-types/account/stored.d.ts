import { type Storage } from '../api/storage.js';
/** "Stored today: 1.2 MB of 50 MB". */
export declare function Stored({ label, storage }: {
    readonly label: string;
    readonly storage: Storage;
}): import("preact").JSX.Element;
/** What the account has stored today; nothing without a limit. Has its line while it loads, so that nothing moves. */
export declare function StoredToday(): import("preact").JSX.Element | null;
