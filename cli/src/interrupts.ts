import { type ExitCode, exitCode, type Interrupt, type Io } from './io.js';

/** The result of work that ends early when its signal is aborted, or what interrupted it: Ctrl-C or SIGTERM. */
export async function unlessInterrupted<T extends object | number>(
  io: Io,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T | Interrupt> {
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
    return interrupt;
  } finally {
    forget();
  }
}

/** The same for a command without a message about the interruption: its exit code is the result then. */
export async function untilInterrupted(
  io: Io,
  work: (signal: AbortSignal) => Promise<ExitCode> | Promise<void>,
): Promise<ExitCode> {
  const ended = await unlessInterrupted(io, async (signal) => (await work(signal)) ?? exitCode.done);
  return typeof ended === 'string' ? exitCode[ended] : ended;
}
