import type { ExitCode } from './io.js';

/** Runs a command; its result becomes the exit code, which is that of success without one. */
export type Action<A extends unknown[]> = (...args: A) => Promise<ExitCode> | Promise<void>;

/** Wraps an action for commander and stores the exit code. */
export type Run = <A extends unknown[]>(action: Action<A>) => (...args: A) => Promise<void>;
