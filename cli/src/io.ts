/** Input and output of a command; tests replace those of the process. */
export interface Io {
  stdin: AsyncIterable<Buffer>;
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream & { isTTY?: boolean };
  env: Record<string, string | undefined>;
}

/** The streams and the environment of this process. */
export function processIo(): Io {
  return { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr, env: process.env };
}

/** Exit codes: success, partial success (some objects were rejected), failure. */
export const exitCode = { done: 0, partly: 1, failed: 2 } as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

/** Writes one line of a command's result. */
export function say(io: Io, line: string): void {
  io.stdout.write(`${line}\n`);
}

/** Writes one line about a command's progress. */
export function note(io: Io, line: string): void {
  io.stderr.write(`${line}\n`);
}
