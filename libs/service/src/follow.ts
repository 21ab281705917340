import { errorText } from './errors.js';

export interface FollowOptions<S> {
  /** What is in use. */
  readonly current: S;
  /** What there is now. */
  load(): Promise<S>;
  isSame(one: S, other: S): boolean;
  /** Takes what is new into use; throws when that cannot be done. */
  use(found: S): void;
  /** Told at every look what cannot be loaded or used, and whether the look before said the same. */
  onProblem(error: unknown, repeated: boolean): void;
  /** Time between two looks. */
  readonly intervalMs: number;
}

/**
 * Looks again and again for something new and takes it into use. What cannot be used is tried again, and leaves the
 * old one in use. It does not keep the process alive. Answers what stops it.
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
