import { printable } from './printable.js';

/** Input and output of a command; tests replace those of the process. */
export interface Io {
  stdin: AsyncIterable<Buffer> & { isTTY?: boolean };
  stdout: NodeJS.WritableStream & { isTTY?: boolean };
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
  env: Record<string, string | undefined>;
  /**
   * Calls `listener` on Ctrl-C or SIGTERM instead of ending the process, until the returned function is called. A second
   * signal ends the process.
   */
  onInterrupt(listener: (signal: Interrupt) => void): () => void;
}

/** The signals that interrupt a command. */
export type Interrupt = 'SIGINT' | 'SIGTERM';

/** The streams and the environment of this process. */
export function processIo(): Io {
  return { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, env: process.env, onInterrupt };
}

function onInterrupt(listener: (signal: Interrupt) => void): () => void {
  const interrupt = (signal: NodeJS.Signals) => {
    forget();
    listener(signal as Interrupt);
  };
  const forget = () => void process.off('SIGINT', interrupt).off('SIGTERM', interrupt);
  process.on('SIGINT', interrupt).on('SIGTERM', interrupt);
  return forget;
}

/** Exit codes: success, partial success (some objects were rejected), failure, and those of shells for signals. */
export const exitCode = { done: 0, partly: 1, failed: 2, SIGINT: 130, SIGTERM: 143 } as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** Writes a line of a command's result. It may contain texts of others. */
export function say(io: Io, line: string): void {
  io.stdout.write(`${printable(line)}\n`);
}

/** Writes a line about a command's progress. It may contain texts of others. */
export function note(io: Io, line: string): void {
  io.stderr.write(`${printable(line)}\n`);
}
