import type { ComponentChildren } from 'preact';
/** The unsaved work of a page. */
export interface UnsavedWork {
    /** Offers work from before, to go on with or to discard; nothing when there is none. */
    readonly offer: ComponentChildren;
    /** Whether the tab keeps the work when the page is left. */
    readonly isKept: boolean;
    /** Forgets the work, because it is saved: leaving asks no longer. */
    readonly finish: () => void;
}
/**
 * Keeps the work of a page in the tab while it has changes (`work` is defined), and asks before the page is left with
 * changes. Work from before stays in the tab until it is restored or discarded, or until there are newer changes; if the
 * page was left to sign in, it is restored at once.
 */
export declare function useUnsavedWork<T>(page: string, work: T | undefined, restore: (kept: T) => void): UnsavedWork;
