interface FoundWorkProps {
    /** When the changes were kept (ISO 8601). */
    readonly saved: string;
    readonly restore: () => void;
    readonly discard: () => void;
}
/** Offers unsaved changes from before. */
export declare function FoundWork({ saved, restore, discard }: FoundWorkProps): import("preact").JSX.Element;
export {};
