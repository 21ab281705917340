import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { follow } from './follow.js';

export interface FollowFilesOptions<T> {
  files: readonly string[];
  /** Makes the value of the contents of all files; throws when they cannot be used. */
  read: (contents: Buffer[]) => T;
  /** Told once why files that changed cannot be used; the value stays as it was. */
  onProblem?: (error: unknown) => void;
  /** Told the new value. */
  onChange?: (value: T) => void;
  /** How often the files are looked at; 10,000 unless told. */
  intervalMs?: number;
}

/** A value that files hold. */
export interface Followed<T> {
  current(): T;
  stop(): void;
}

/**
 * Reads files now, and again when they change: contents are compared, because Kubernetes replaces files by swapping a
 * link above them. Throws when they cannot be used at first. It does not keep the process alive.
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
