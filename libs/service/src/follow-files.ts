import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

export interface FollowOptions<T> {
  files: readonly string[];
  /** Makes the value of the contents of all files; throws when they cannot be used. */
  read: (contents: Buffer[]) => T;
  /** Told why files that changed cannot be used; the value stays as it was. */
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
export function followFiles<T>(o: FollowOptions<T>): Followed<T> {
  let contents = o.files.map((file) => readFileSync(file));
  let value = o.read(contents);
  const look = async () => {
    const found = await Promise.all(o.files.map((file) => readFile(file)));
    if (found.every((one, index) => one.equals(contents[index]!))) return;
    // Remembered first: what cannot be used is complained about once.
    contents = found;
    value = o.read(found);
    o.onChange?.(value);
  };
  const timer = setInterval(() => look().catch((error) => o.onProblem?.(error)), o.intervalMs ?? 10_000).unref();
  return { current: () => value, stop: () => clearInterval(timer) };
}
