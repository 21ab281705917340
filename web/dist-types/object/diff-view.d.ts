import './diff-view.css';
/** What was removed from a text and what was added to it; in words too for those who do not see colours. */
export declare function DiffView({ before, after }: {
    readonly before: string;
    readonly after: string;
}): import("preact").JSX.Element;
