/** The id of the search box of a page, which the key "/" focuses. */
export declare const searchBoxId = "query";
interface SearchBoxProps {
    readonly text: string;
    readonly change: (text: string) => void;
    readonly autoFocus: boolean;
    readonly describedBy: string;
}
/** The field for the question, with suggestions while one types. A chosen suggestion opens its object. */
export declare function SearchBox({ text, change, autoFocus, describedBy }: SearchBoxProps): import("preact").JSX.Element;
export {};
