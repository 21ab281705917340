import { LRUCache } from 'lru-cache';

/** The recent costs of the work of clients. */
export interface ClientCosts {
  /** The average of a client in milliseconds; for an unknown client that of all clients. */
  of(client: string): number;
  /** The average of all clients. */
  usual(): number;
  /** The position of a client in the order of costs. Similar costs have the same number: their clients take turns. */
  orderOf(client: string): number;
  /** Records how long a piece of work took, in milliseconds. */
  note(client: string, ms: number): void;
}

interface ClientCostsOptions {
  /** All shorter work counts the same. */
  readonly quickMs: number;
  /** Longer work counts as this long: after one slow piece of work, a client with quick work soon is cheap again. */
  readonly maxMs: number;
}

/** Weight of the newest piece of work in the average. */
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
