import type { ComponentChildren } from 'preact';
interface FoldProps {
    /** What is folded. */
    readonly what: string;
    readonly children: ComponentChildren;
}
/** A part of a page that is hidden at first: a button shows it, and so does the browser's search in the page. */
export declare function Fold({ what, children }: FoldProps): import("preact").JSX.Element;
export {};
