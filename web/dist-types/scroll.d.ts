/** Notes in the current entry of the history how far its page is scrolled. */
export declare function noteScroll(): void;
/** The scrolling of the pages in the history. */
export interface ScrollOfEntries {
    /** Scrolls to where the current entry was left, as soon as its page is long enough. */
    restore(): void;
    stop(): void;
}
/**
 * Keeps how far each page in the history is scrolled, also over reloads. A browser by itself restores it before the
 * content of the page is loaded, and so too high.
 */
export declare function keepScrollOfEntries(): ScrollOfEntries;
