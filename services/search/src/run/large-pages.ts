import { type Turns, untilOnTime } from '@cadastre/service';
import { LRUCache } from 'lru-cache';

/** The large pages of all clients: few at a time, because such a page needs many times its text, and one per client. */
export type LargePages = ReturnType<typeof createLargePages>;

const maxClients = 10_000;
const rememberedMs = 60_000;

/** Makes slots from turns: a slot is a turn that lasts until its page is released. */
export function createLargePages(turns: Turns) {
  const clients = new LRUCache<string, true>({ max: maxClients, ttl: rememberedMs });
  return {
    /**
     * Waits for a slot, in turn by client; rejects with the reason of the signal when that aborts. Call the returned
     * function, at least once, when the page is released. A caller with a slot must not wait for another one.
     */
    take: (client: string, signal: AbortSignal): Promise<() => void> =>
      new Promise((resolve, reject) => {
        const hold = async () => {
          await untilOnTime(signal);
          await new Promise<void>((leave) => resolve(leave));
        };
        turns.of(client, signal).read(hold).catch(reject);
      }),
    /** Remembers for a minute that a search of a client was large. */
    remember: (client: string): void => void clients.set(client, true),
    /** Whether a search of the client was large lately. */
    hasBeenLarge: (client: string): boolean => clients.has(client),
  };
}
