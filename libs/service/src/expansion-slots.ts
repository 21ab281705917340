import { ServiceError } from './errors.js';
import { createTurns } from './turns.js';

/**
 * Lets clients expand large sets: few concurrently, because each needs memory, and one per client. Others wait for
 * their turn (`createTurns`).
 */
export type ExpansionSlots = ReturnType<typeof createExpansionSlots>;

interface ExpansionSlotsOptions {
  /** Maximum concurrent expansions. */
  readonly max: number;
  /** Maximum wait for a slot, in milliseconds. */
  readonly waitMs: number;
}

/** More than a client with few connections can use: others still begin immediately. */
const usual: ExpansionSlotsOptions = { max: 4, waitMs: 30_000 };

/** Makes the slots of a process. */
export function createExpansionSlots({ max, waitMs }: ExpansionSlotsOptions = usual) {
  const turns = createTurns(max, 1);
  return {
    /**
     * Does work in a slot. Rejects when `signal` aborts before the work begins, and with a ServiceError (unavailable)
     * when no slot becomes free in time.
     */
    async run<T>(client: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
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
