interface CopyButtonProps {
    /** Fetches the text to copy. */
    readonly text: () => string | Promise<string>;
    readonly label: string;
    readonly class?: string;
}
/** Copies a text to the clipboard and confirms it. */
export declare function CopyButton({ text, label, class: look }: CopyButtonProps): import("preact").JSX.Element;
export {};
