/** Unsaved work on one page, as this tab keeps it. */
export interface KeptWork<T> {
    /** When it was kept (ISO 8601). */
    readonly saved: string;
    /** The account that did it; empty without a session. */
    readonly account: string;
    /** Whether the user left to come back, in order to sign in: then the page goes on without a question. */
    readonly resumes: boolean;
    readonly work: T;
}
/** The part of a browser's storage that this needs. */
export type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;
/** What this tab keeps until it is closed; undefined where the browser forbids it. */
export declare function tabStorage(): TabStorage | undefined;
/**
 * Keeps the work of a page (its path) in place of what was kept. Returns whether that succeeded: without storage, with
 * too much of it, and with secrets it does not, and nothing is kept.
 */
export declare function keepWork<T>(storage: TabStorage | undefined, page: string, kept: KeptWork<T>): boolean;
/** The kept work of a page; nothing for another account than that which did it. */
export declare function findWork<T>(storage: TabStorage | undefined, page: string, account: string): KeptWork<T> | undefined;
/** Forgets the work of a page: it is saved, or not wanted. */
export declare function dropWork(storage: TabStorage | undefined, page: string): void;
/** Forgets the work of all pages: the user signs out. */
export declare function dropAllWork(storage: TabStorage | undefined): void;
