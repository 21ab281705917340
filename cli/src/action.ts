import type { ExitCode } from './io.js';

/** Runs a command; its result becomes the exit code. */
export type Action<A extends unknown[]> = (...args: A) => Promise<ExitCode>;

/** Wraps an action for commander and stores the exit code. */
export type Run = <A extends unknown[]>(action: Action<A>) => (...args: A) => Promise<void>;
