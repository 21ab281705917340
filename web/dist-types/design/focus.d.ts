/** Moves the focus to the beginning of the page, after the button that had it is gone. */
export declare function focusPage(): void;
/** Moves the focus to the heading of the section around an element that will be gone. */
export declare function focusHeadingOf(element: Element): void;
/** The `ref` of an element that takes the focus when it appears. */
export declare function takesFocus(element: HTMLElement | null): void;
