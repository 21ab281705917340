import { LRUCache } from 'lru-cache';

/** Remembers which clients have made large searches. */
export interface LargeClients {
  /** Records that a search of the client was large. */
  note(client: string): void;
  /** Whether the client had one recently. */
  has(client: string): boolean;
}

const maxClients = 10_000;
const rememberedMs = 60_000;

/** Remembers each client for a minute. */
export function createLargeClients(): LargeClients {
  const clients = new LRUCache<string, true>({ max: maxClients, ttl: rememberedMs });
  return {
    note: (client) => void clients.set(client, true),
    has: (client) => clients.has(client),
  };
}
