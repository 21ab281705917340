import type { Supervised } from './keep-running.js';

/** The started parts of the system, which stop in reverse order. */
export interface Parts {
  /** Starts a part and registers it at once, so that a concurrent stop includes it; that aborts `stopping`. */
  start<P extends Supervised>(start: (stopping: AbortSignal) => Promise<P>): Promise<P>;
  /** Stops all parts, the newest first; `start` is refused afterwards. */
  stop(): Promise<void>;
  /** Kills all parts. */
  kill(): void;
}

/** Thrown by `Parts.start` while the system is stopping. */
export class Stopping extends Error {
  override readonly name = 'Stopping';
}

/** Makes an empty list of parts. */
export function createParts(): Parts {
  const parts: Promise<Supervised | undefined>[] = [];
  const running = new Set<Supervised>();
  const stopping = new AbortController();
  return {
    start: async (start) => {
      if (stopping.signal.aborted) throw new Stopping();
      const starting = start(stopping.signal);
      parts.push(starting.catch(() => undefined));
      const part = await starting;
      running.add(part);
      if (stopping.signal.aborted) throw new Stopping();
      return part;
    },
    stop: async () => {
      stopping.abort();
      for (const part of parts.toReversed()) await (await part)?.stop();
    },
    kill: () => {
      for (const part of running) part.kill();
    },
  };
}
