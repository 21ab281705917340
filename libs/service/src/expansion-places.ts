import { ServiceError } from './errors.js';

/** Lets clients expand sets: few at once, because each holds memory, and one of a client. Others wait in their order. */
export interface ExpansionPlaces {
  /**
   * Does some work in a place. Rejects when `signal` aborts before the work begins, and with a ServiceError (unavailable)
   * when no place gets free in time.
   */
  run<T>(client: unknown, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

interface ExpansionPlacesOptions {
  /** Expansions at once. */
  readonly most: number;
  /** Longest wait for a place, in milliseconds. */
  readonly waitMs: number;
}

/** One that waits for a place. */
interface Waiting {
  readonly client: unknown;
  begin(): void;
}

/** As many as a client that has few connections can delay: then others still begin at once. */
const usual: ExpansionPlacesOptions = { most: 4, waitMs: 30_000 };

/** Makes the places of a process. */
export function createExpansionPlaces({ most, waitMs }: ExpansionPlacesOptions = usual): ExpansionPlaces {
  /** The clients that expand sets. */
  const busy = new Set<unknown>();
  const waiting = new Set<Waiting>();
  const fill = () => {
    for (const one of waiting) {
      if (busy.size >= most) return;
      if (busy.has(one.client)) continue;
      waiting.delete(one);
      busy.add(one.client);
      one.begin();
    }
  };
  const place = (client: unknown, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', abort);
      };
      const giveUp = (reason: unknown) => {
        end();
        waiting.delete(one);
        reject(reason);
      };
      const abort = () => giveUp(signal.reason);
      const one: Waiting = {
        client,
        begin() {
          end();
          resolve();
        },
      };
      const late = () => giveUp(new ServiceError('unavailable', 'Too many sets are being expanded'));
      const timer = setTimeout(late, waitMs);
      signal.addEventListener('abort', abort);
      waiting.add(one);
      fill();
    });
  return {
    async run(client, signal, work) {
      signal.throwIfAborted();
      await place(client, signal);
      try {
        return await work();
      } finally {
        busy.delete(client);
        fill();
      }
    },
  };
}
