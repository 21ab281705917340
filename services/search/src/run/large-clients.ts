import { LRUCache } from 'lru-cache';

/** The clients that had a large search lately. */
export type LargeClients = Pick<LRUCache<string, true>, 'has' | 'set'>;

const maxClients = 10_000;
const rememberedMs = 60_000;

/** Remembers each client for a minute. */
export function createLargeClients(): LargeClients {
  return new LRUCache<string, true>({ max: maxClients, ttl: rememberedMs });
}
