import type { ComponentChildren } from 'preact';
import './load.css';
/** What became of something that is fetched. */
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
/** Fetches something, and again when `key` changes; what is no longer wanted is given up. */
export declare function useLoad<T>(key: string, load: (signal: AbortSignal) => Promise<T>): Loaded<T>;
interface ShowProps<T> {
    readonly of: Loaded<T>;
    /** What is being loaded, for those who wait: "the versions". */
    readonly what: string;
    /** What to say instead of an error of this kind, if anything. */
    readonly failed?: (error: unknown) => ComponentChildren;
    readonly children: (value: T) => ComponentChildren;
}
/** Shows what was loaded, that it is being loaded, or why it was not. */
export declare function Show<T>({ of, what, failed, children }: ShowProps<T>): import("preact").JSX.Element;
/** Why something could not be done, and a way to try again. */
export declare function Failure({ error, what, retry, }: {
    readonly error: unknown;
    readonly what: string;
    readonly retry?: () => void;
}): import("preact").JSX.Element;
export {};
