import type { ComponentChildren } from 'preact';
import './result.css';
/** What a search found. It takes the focus from the beginning of the page, where the search has left it. */
export declare function ResultRegion({ children }: {
    readonly children: ComponentChildren;
}): import("preact").JSX.Element;
