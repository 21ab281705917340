import { LRUCache } from 'lru-cache';

/** Remembers which clients have made large searches. */
export interface LargeClients {
  /** Notes that a search of the client has turned out to be large. */
  note(client: string): void;
  /** Whether one has lately. */
  has(client: string): boolean;
}

const maxClients = 10_000;
const rememberedMs = 60_000;

/** Remembers each for a minute. */
export function createLargeClients(): LargeClients {
  const clients = new LRUCache<string, true>({ max: maxClients, ttl: rememberedMs });
  return {
    note: (client) => void clients.set(client, true),
    has: (client) => clients.has(client),
  };
}
