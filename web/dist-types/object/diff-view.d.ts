import './diff-view.css';
interface DiffViewProps {
    readonly before: string;
    readonly after: string;
    /** Number of unchanged lines around changes; default: all. */
    readonly around?: number;
}
/** The removed and added lines of a text; also in words, for users who do not see colours. */
export declare function DiffView({ before, after, around }: DiffViewProps): import("preact").JSX.Element;
export {};
