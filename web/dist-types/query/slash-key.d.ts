/** The key "/" focuses the search box; on a page without one it opens the page that has it. */
export declare function useSlashKey(): void;
