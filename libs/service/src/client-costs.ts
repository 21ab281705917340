import { LRUCache } from 'lru-cache';

/** How long work of clients took lately. */
export interface ClientCosts {
  /** The average of a client in milliseconds; that of all clients for one that is not known. */
  of(client: string): number;
  /** The average of all clients. */
  usual(): number;
  /** The place of a client in the order of costs. Costs that are alike are the same number: such clients take turns. */
  orderOf(client: string): number;
  /** Notes how long a piece of work took, in milliseconds. */
  note(client: string, ms: number): void;
}

interface ClientCostsOptions {
  /** Shorter work is alike. */
  readonly quickMs: number;
  /** Longer work counts as this: a client with quick work, of which one piece was slow, soon is no longer costly. */
  readonly maxMs: number;
}

/** What the newest piece of work counts in the average. */
const newestShare = 0.3;
const rememberedClients = 10_000;
const rememberedMs = 60_000;

/** Makes the costs of one kind of work. */
export function createClientCosts({ quickMs, maxMs }: ClientCostsOptions): ClientCosts {
  const costs = new LRUCache<string, number>({ max: rememberedClients, ttl: rememberedMs });
  let usual = 0;
  const costOf = (client: string) => costs.get(client) ?? usual;
  return {
    of: costOf,
    usual: () => usual,
    orderOf: (client) => Math.ceil(Math.log2(Math.max(quickMs, costOf(client)))),
    note(client, ms) {
      const cost = Math.min(ms, maxMs);
      costs.set(client, (1 - newestShare) * (costs.get(client) ?? cost) + newestShare * cost);
      usual = (1 - newestShare) * usual + newestShare * cost;
    },
  };
}
