/** Tells that the session ended while the user worked. */
export declare function SessionEnded({ isKept }: {
    readonly isKept: boolean;
}): import("preact").JSX.Element;
