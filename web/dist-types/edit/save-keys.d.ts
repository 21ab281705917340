import type { RefObject } from 'preact';
/**
 * Saves by Ctrl+S (⌘S), and by Enter in a one-line field inside of `fields`. While the registry still checks what was
 * typed, it saves afterwards.
 */
export declare function useSaveKeys(fields: RefObject<HTMLElement | null>, isChecking: boolean, save: () => unknown): void;
