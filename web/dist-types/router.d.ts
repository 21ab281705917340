import type { ComponentChildren } from 'preact';
/** Where the browser is: path and query of the page that is shown. */
export interface Place {
    /** As in the address bar, percent-encoded. */
    readonly path: string;
    readonly query: URLSearchParams;
}
/** Goes to a page of this application; `replace` leaves the present one out of the history. */
export declare function navigate(to: string, { replace }?: {
    replace?: boolean | undefined;
}): void;
/** The present place; the component is shown anew when it changes. */
export declare function usePlace(): Place;
interface LinkProps {
    readonly to: string;
    readonly class?: string | undefined;
    readonly title?: string;
    readonly current?: boolean;
    readonly children: ComponentChildren;
}
/** A link to a page of this application; opens in a new tab as any link does. */
export declare function Link({ to, current, children, ...rest }: LinkProps): import("preact").JSX.Element;
export {};
