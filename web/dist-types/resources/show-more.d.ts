/** The items of a list that are shown, and a button for more of them, which moves the focus to the first new one. */
export declare function useShowMore<T>(items: readonly T[], step: number, what: string): {
    visible: T[];
    list: import("preact").RefObject<HTMLUListElement | null>;
    more: false | import("preact").JSX.Element;
};
