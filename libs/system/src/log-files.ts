import { closeSync, openSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

const maxStarts = 5;

/** The log of one process while the system runs. */
export interface LogFile {
  file: string;
  /** Runs `use` with a file descriptor that appends to the log. */
  withDescriptor<R>(use: (descriptor: number) => R): R;
  /** The last lines, to explain a failed start. */
  tail(lines: number): Promise<string[]>;
}

/** Opens the log `name`.log of this start; renames those of earlier starts to `name`.1.log and so on. */
export async function openLog(directory: string, name: string): Promise<LogFile> {
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const file = (age: number) => join(directory, age === 0 ? `${name}.log` : `${name}.${age}.log`);
  await rm(file(maxStarts), { force: true });
  for (let age = maxStarts - 1; age >= 0; age -= 1) await rename(file(age), file(age + 1)).catch(ignoreMissing);
  return {
    file: file(0),
    withDescriptor: (use) => {
      const descriptor = openSync(file(0), 'a', 0o600);
      try {
        return use(descriptor);
      } finally {
        closeSync(descriptor);
      }
    },
    tail: async (lines) => (await readFile(file(0), 'utf8')).trimEnd().split('\n').slice(-lines),
  };
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
