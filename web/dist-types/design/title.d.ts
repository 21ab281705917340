/** Names the page in the tab of the browser. */
export declare function useTitle(title: string): void;
