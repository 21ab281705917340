import { LRUCache } from 'lru-cache';
import type { BlockList } from './block-list.js';
import { type Consumer, consumerIdOf, newUsage, type Usage } from './consumer.js';
import { type LimitPolicy, unlimited } from './limit-policy.js';

/** Knows whom requests are charged to. */
export interface Consumers {
  /** The consumer that an address belongs to. */
  ofAddress(address: string): Consumer;
  /** An account; or who sent the request, when that comes from an exempt network. */
  ofAccount(account: { readonly id: string; readonly name: string }, from: Consumer): Consumer;
}

/** Whoever was forgotten is known again as soon as counts are exchanged. */
const mostRemembered = 100_000;

/** Makes the table of those who were seen. An address is looked up as it is written: most requests need no more. */
export function createConsumers(policy: LimitPolicy, blockList: BlockList): Consumers {
  const usages = new LRUCache<string, Usage>({ max: mostRemembered });
  const byAddress = new LRUCache<string, { consumer: Consumer; version: number }>({ max: mostRemembered });
  let parts = 0;
  const usageOf = (id: string) => {
    const usage = usages.get(id) ?? newUsage(parts++);
    usages.set(id, usage);
    return usage;
  };
  const read = (address: string): Consumer => {
    const id = consumerIdOf(address);
    const block = blockList.find(address);
    return { id, shown: address, limits: policy.ofAddress(address), block, usage: usageOf(id) };
  };
  return {
    ofAddress(address) {
      const known = byAddress.get(address);
      const version = blockList.version();
      if (known?.version === version) return known.consumer;
      const consumer = read(address);
      byAddress.set(address, { consumer, version });
      return consumer;
    },
    ofAccount({ id: accountId, name }, from) {
      if (from.limits === unlimited) return from;
      const id = `account/${accountId}`;
      return { id, shown: name, limits: policy.ofAccount(name), block: undefined, usage: usageOf(id) };
    },
  };
}
