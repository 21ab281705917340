import { LRUCache } from 'lru-cache';

/** The clients of which a search has turned out to be large lately. */
export type LargeClients = Pick<LRUCache<string, true>, 'has' | 'set'>;

const maxClients = 10_000;
const rememberedMs = 60_000;

/** Remembers each for a minute. */
export function createLargeClients(): LargeClients {
  return new LRUCache<string, true>({ max: maxClients, ttl: rememberedMs });
}
