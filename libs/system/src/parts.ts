import type { Supervised } from './keep-running.js';

/** Starts a part of the system. */
type Start<P extends Supervised> = () => Promise<P>;

/** The started parts of the system, which stop in reverse order. */
export interface Parts {
  /** Aborted when the system stops. */
  readonly stopping: AbortSignal;
  /** Starts a part and registers it immediately, so that a concurrent stop includes it. */
  start<P extends Supervised>(start: Start<P>): Promise<P>;
  /** Starts parts concurrently, which also stop concurrently. */
  startTogether(starts: readonly Start<Supervised>[]): Promise<void>;
  /** Stops all parts, the newest first; nothing is started afterwards. */
  stop(): Promise<void>;
  kill(): void;
}

/** Thrown by `start` and `startTogether` while the system is stopping. */
export class Stopping extends Error {
  override readonly name = 'Stopping';
}

/** Makes an empty list of parts. */
export function createParts(): Parts {
  const groups: Promise<Supervised | undefined>[][] = [];
  const running = new Set<Supervised>();
  const stopping = new AbortController();
  const begin = <P extends Supervised>(starts: readonly Start<P>[]): Promise<P>[] => {
    if (stopping.signal.aborted) throw new Stopping();
    const starting = starts.map((start) => start());
    groups.push(starting.map((part) => part.catch(() => undefined)));
    return starting.map(async (part) => {
      running.add(await part);
      if (stopping.signal.aborted) throw new Stopping();
      return part;
    });
  };
  return {
    stopping: stopping.signal,
    start: async (start) => begin([start])[0]!,
    startTogether: async (starts) => void (await Promise.all(begin(starts))),
    stop: async () => {
      stopping.abort();
      for (const group of groups.toReversed()) {
        await Promise.all(group.map(async (part) => (await part)?.stop()));
      }
    },
    kill: () => {
      for (const part of running) part.kill();
    },
  };
}
