import type { ExitCode } from './io.js';

/** Carries a command out; what it returns becomes the exit code. */
export type Action<A extends unknown[]> = (...args: A) => Promise<ExitCode>;

/** Turns an action into what commander calls, keeping the exit code. */
export type Run = <A extends unknown[]>(action: Action<A>) => (...args: A) => Promise<void>;
