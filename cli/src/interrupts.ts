import { type ExitCode, exitCode, type Interrupt, type Io } from './io.js';

/** Runs work that ends early when its signal is aborted: on Ctrl-C or SIGTERM, whose exit code is the result then. */
export async function untilInterrupted(io: Io, work: (signal: AbortSignal) => Promise<ExitCode>): Promise<ExitCode> {
  const stopping = new AbortController();
  let interrupt: Interrupt | undefined;
  const forget = io.onInterrupt((signal) => {
    interrupt = signal;
    stopping.abort();
  });
  try {
    return await work(stopping.signal);
  } catch (error) {
    if (interrupt === undefined) throw error;
    return exitCode[interrupt];
  } finally {
    forget();
  }
}
