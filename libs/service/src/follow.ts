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
