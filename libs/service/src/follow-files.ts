import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { follow } from './follow.js';

export interface FollowFilesOptions<T> {
  files: readonly string[];
  /** Makes the value from the contents of all files; throws when they are invalid. */
  read: (contents: Buffer[]) => T;
  /** Called once for each invalid change, with the reason; the old value stays in use. */
  onProblem?: (error: unknown) => void;
  /** Called with each new value. */
  onChange?: (value: T) => void;
  /** Time between two reads in milliseconds; default 10,000. */
  intervalMs?: number;
}

/** A value read from files. */
export interface Followed<T> {
  current(): T;
  stop(): void;
}

/**
 * Reads files now, and again when they change. Compares contents, because Kubernetes replaces files by swapping a
 * symbolic link above them. Throws when the first read fails. Does not keep the process alive.
 */
export function followFiles<T>(o: FollowFilesOptions<T>): Followed<T> {
  const contents = o.files.map((file) => readFileSync(file));
  let value = o.read(contents);
  const stop = follow({
    current: contents,
    load: () => Promise.all(o.files.map((file) => readFile(file))),
    isSame: (one, other) => one.every((content, index) => content.equals(other[index]!)),
    use: (found) => {
      value = o.read(found);
      o.onChange?.(value);
    },
    onProblem: (error, repeated) => repeated || o.onProblem?.(error),
    intervalMs: o.intervalMs ?? 10_000,
  });
  return { current: () => value, stop };
}
