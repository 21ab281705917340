import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { errorText } from './errors.js';

export interface FollowOptions<S> {
  /** The state in use. */
  readonly current: S;
  /** Loads the current state. */
  load(): Promise<S>;
  isSame(one: S, other: S): boolean;
  /** Applies a new state; throws when it cannot. */
  use(found: S): void;
  /** Called each time that `load` or `use` fails; `repeated` when the previous poll failed with the same text. */
  onProblem(error: unknown, repeated: boolean): void;
  /** Time between two polls in milliseconds. */
  readonly intervalMs: number;
}

/**
 * Polls `load` and applies what changed. After a failure the old state stays in use and the next poll tries again. Does
 * not keep the process alive. Returns the function that stops it.
 */
export function follow<S>(o: FollowOptions<S>): () => void {
  let { current } = o;
  let problem: string | undefined;
  let timer: NodeJS.Timeout | undefined;
  const look = async () => {
    try {
      const found = await o.load();
      if (timer === undefined) return;
      if (!o.isSame(found, current)) o.use(found);
      current = found;
      problem = undefined;
    } catch (error) {
      const text = errorText(error);
      o.onProblem(error, text === problem);
      problem = text;
    }
  };
  const lookLater = () => {
    timer = setTimeout(() => void look().finally(() => timer && lookLater()), o.intervalMs).unref();
  };
  lookLater();
  return () => {
    clearTimeout(timer);
    timer = undefined;
  };
}

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
