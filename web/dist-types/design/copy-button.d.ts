interface CopyButtonProps {
    /** What is copied; fetched when it is wanted. */
    readonly text: () => string | Promise<string>;
    readonly label: string;
    readonly class?: string;
}
/** Puts a text on the clipboard and says so. */
export declare function CopyButton({ text, label, class: look }: CopyButtonProps): import("preact").JSX.Element;
export {};
