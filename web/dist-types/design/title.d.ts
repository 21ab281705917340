/** Sets the title of the browser tab. */
export declare function useTitle(title: string): void;
