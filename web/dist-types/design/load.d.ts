import type { ComponentChildren } from 'preact';
import './load.css';
/** The state of a fetch. */
export type Loaded<T> = {
    readonly state: 'loading';
} | {
    readonly state: 'failed';
    readonly error: unknown;
    readonly retry: () => void;
} | {
    readonly state: 'loaded';
    readonly value: T;
    readonly retry: () => void;
};
interface LoadOptions {
    /** While another key loads, the value of the last one stays; default: false. */
    readonly keepsLast?: boolean;
}
/** Fetches a value, and again when `key` changes; cancels fetches that are no longer needed. */
export declare function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>, { keepsLast }?: LoadOptions): Loaded<T>;
interface ShowProps<T> {
    readonly of: Loaded<T>;
    /** The name of the loaded value, for example "the versions". */
    readonly what: string;
    /** Replaces the message for some errors; for the others it returns nothing (undefined, false). */
    readonly failed?: (error: unknown) => ComponentChildren;
    readonly children: (value: T) => ComponentChildren;
}
/** Shows the loaded value, that it is loading, or why it failed. */
export declare function Show<T>({ of, what, failed, children }: ShowProps<T>): import("preact").JSX.Element;
/** Says that something is loading. */
export declare function Waiting({ what }: {
    readonly what: string;
}): import("preact").JSX.Element;
export {};
