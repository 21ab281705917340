import type { Message } from '../api/message.js';
/** An action on request. */
export interface Attempt {
    /** Whether it is running; it does not start twice. */
    readonly isBusy: boolean;
    /** Why it failed; empty before, during and after success. */
    readonly refused: readonly Message[];
    /** Runs it; `run` throws, or returns messages, when it failed. */
    readonly begin: (run: () => Promise<readonly Message[] | undefined>) => Promise<void>;
}
export declare function useAttempt(): Attempt;
/** Why an attempt failed; announced to screen readers at once. */
export declare function Refused({ attempt }: {
    readonly attempt: Attempt;
}): import("preact").JSX.Element;
