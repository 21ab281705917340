import type { ComponentChildren } from 'preact';
/** The current path and query. */
export interface Place {
    /** As in the address bar, percent-encoded. */
    readonly path: string;
    readonly query: URLSearchParams;
}
/**
 * Navigates to a page of this application; `replace` replaces the current history entry. Returns false when the user
 * stays, because of unsaved work.
 */
export declare function navigate(to: string, { replace }?: {
    replace?: boolean | undefined;
}): boolean;
/** The current place; the component renders again when it changes. */
export declare function usePlace(): Place;
/** Asks before the user leaves the page, by a link, Back, reload or closing, while it has unsaved work. */
export declare function useLeaveQuestion(hasUnsavedWork: () => boolean): void;
interface LinkProps {
    readonly to: string;
    readonly class?: string | undefined;
    readonly title?: string;
    /** Its name for screen readers, which contains its text; default: its text. */
    readonly label?: string;
    readonly current?: boolean;
    /** -1 for a link in a list that has keys of its own. */
    readonly tabIndex?: number;
    readonly children: ComponentChildren;
}
/** A link to a page of this application; modified clicks open a new tab as usual. */
export declare function Link({ to, current, label, children, ...rest }: LinkProps): import("preact").JSX.Element;
export {};
