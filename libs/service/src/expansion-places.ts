import { ServiceError } from './errors.js';
import { createTurns } from './turns.js';

/**
 * Lets clients expand large sets: few at once, because each holds memory, and one of a client. Others wait for their turn
 * (`createTurns`).
 */
export interface ExpansionPlaces {
  /**
   * Does some work in a place. Rejects when `signal` aborts before the work begins, and with a ServiceError (unavailable)
   * when no place gets free in time.
   */
  run<T>(client: string, signal: AbortSignal, work: () => Promise<T>): Promise<T>;
}

interface ExpansionPlacesOptions {
  /** Expansions at once. */
  readonly max: number;
  /** Longest wait for a place, in milliseconds. */
  readonly waitMs: number;
}

/** As many as a client that has few connections can delay: then others still begin at once. */
const usual: ExpansionPlacesOptions = { max: 4, waitMs: 30_000 };

/** Makes the places of a process. */
export function createExpansionPlaces({ max, waitMs }: ExpansionPlacesOptions = usual): ExpansionPlaces {
  const turns = createTurns(max, 1);
  return {
    async run(client, signal, work) {
      const late = new AbortController();
      const tooLate = () => late.abort(new ServiceError('unavailable', 'Too many sets are being expanded'));
      const timer = setTimeout(tooLate, waitMs);
      try {
        return await turns.of(client, AbortSignal.any([signal, late.signal])).read(work);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}
