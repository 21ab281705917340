import { type ComponentChildren } from 'preact';
import './https-address.css';
/** On pages over plain HTTP, finds out where HTTPS is, for all components. */
export declare function HttpsAddressProvider({ children }: {
    readonly children: ComponentChildren;
}): import("preact").JSX.Element;
/** The address of this page over HTTPS; undefined while it is unknown, and over HTTPS. */
export declare function useHttpsPage(): string | undefined;
/** Says what a page over plain HTTP cannot do; not on the user's own machine, where nobody listens. */
export declare function HttpsNotice(): import("preact").JSX.Element | null;
