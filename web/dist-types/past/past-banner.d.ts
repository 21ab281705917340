import type { ComponentChildren } from 'preact';
import './past-banner.css';
interface PastBannerProps {
    /** Address of the same page in the present. */
    readonly now: string;
    /** Says of what the page is. Without it the page is of the present, and has no banner. */
    readonly children: ComponentChildren;
}
/** Says that a page is not of the present; announced to screen readers when the page goes there. */
export declare function PastBanner({ now, children }: PastBannerProps): import("preact").JSX.Element;
export {};
