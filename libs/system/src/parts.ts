import type { Kept } from './keep-running.js';

/** The parts of the system that were started, to be stopped in the opposite order. */
export interface Parts {
  /**
   * Starts a part. It counts as one from now on, so that a stop in the meantime does not forget it; `stopping` is
   * aborted then.
   */
  start<P extends Kept>(start: (stopping: AbortSignal) => Promise<P>): Promise<P>;
  /** Stops all parts, the newest first; `start` is refused from now on. */
  stop(): Promise<void>;
  /** Ends all parts now. */
  kill(): void;
}

/** Thrown by `Parts.start` when the system is being stopped. */
export class Stopping extends Error {
  override readonly name = 'Stopping';
}

/** No parts yet. */
export function createParts(): Parts {
  const parts: Promise<Kept | undefined>[] = [];
  const running = new Set<Kept>();
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
