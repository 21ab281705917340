import type { BlockList, OperatorBlock } from './blocked-networks.js';
import { networksOf } from './client-networks.js';
import { createLastUsed } from './last-used.js';
import { type ConcurrentLimit, type CountedLimit, type LimitPolicy, type LimitValues, unlimited } from './policy.js';
import type { Count } from './shared-counts.js';

/** A client to which limits apply: an IPv4 address, an IPv6 /64, or an account. */
export interface LimitedClient {
  /** Unique among all clients. */
  readonly id: string;
  /** For messages: the address of the client, or the name of the account. */
  readonly name: string;
  readonly limits: LimitValues;
  /** The operator's block; absent when there is none. */
  readonly block: OperatorBlock | undefined;
  readonly counters: Counters;
  /**
   * The networks around an address, whose limits its requests also count against; none for accounts and exempt
   * networks.
   */
  readonly wider: readonly WiderNetwork[];
}

/** A network around clients. */
export interface WiderNetwork {
  /** Unique among all clients and networks. */
  readonly id: string;
  readonly counters: Counters;
  /** Its clients together have this multiple of the limits of one client. */
  readonly times: number;
}

/** What windows count: limits, and the seconds in which a client was refused. */
export type Counted = CountedLimit | 'refusals';

/** What a client has used. All addresses of an IPv6 /64 share one. */
export interface Counters {
  /** Counts of the current windows. */
  readonly windows: Partial<Record<Counted, WindowCount>>;
  /** Until when repeated refusals block the client, in milliseconds since 1970; absent before the first block. */
  repetitionBlock: Count | undefined;
  /** Requests of the client in progress at this gateway, by each limit that they count against. */
  readonly running: Record<ConcurrentLimit, number>;
  /** The second in which the client was last refused. */
  refusedIn: number;
  /** When the counts that other gateways may have changed were last requested. */
  refreshed: number;
}

/** A count that each window resets. */
export interface WindowCount extends Count {
  readonly window: number;
  /** End of the window, in milliseconds since 1970. */
  readonly expires: number;
}

function newCounters(): Counters {
  const running = {
    'concurrent-requests': 0,
    'concurrent-searches': 0,
    'concurrent-updates': 0,
    'concurrent-streams': 0,
  };
  return { windows: {}, repetitionBlock: undefined, running, refusedIn: 0, refreshed: 0 };
}

/** Finds the client of a request. */
export interface LimitedClients {
  /** The client that an address belongs to. */
  atAddress(address: string): LimitedClient;
  /** The client of an account; `from` is the sender of the request when it is in an exempt network. */
  ofAccount(account: { readonly id: string; readonly name: string }, from: LimitedClient): LimitedClient;
}

/** With Redis, a client that was dropped gets its counts back with the next exchange. */
const maxClients = 100_000;

/** Makes the table of clients. Looks an address up as written: most requests need no more. */
export function createLimitedClients(policy: LimitPolicy, blockList: BlockList): LimitedClients {
  const countersById = createLastUsed<Counters>(maxClients);
  const byAddress = createLastUsed<{ client: LimitedClient; version: number }>(maxClients);
  const countersOf = (id: string) => {
    const counters = countersById.get(id) ?? newCounters();
    countersById.set(id, counters);
    return counters;
  };
  return {
    atAddress(address) {
      const known = byAddress.get(address);
      const version = blockList.version();
      if (known?.version === version) return known.client;
      const { id, wider: around } = networksOf(address);
      const block = blockList.find(address);
      const limits = policy.ofAddress(address);
      const wider = limits === unlimited ? [] : around.map((one) => ({ ...one, counters: countersOf(one.id) }));
      const client = { id, name: address, limits, block, counters: countersOf(id), wider };
      byAddress.set(address, { client, version });
      return client;
    },
    ofAccount({ id: accountId, name }, from) {
      if (from.limits === unlimited) return from;
      const id = `account/${accountId}`;
      const limits = policy.ofAccount(name, from.limits);
      return { id, name, limits, block: undefined, counters: countersOf(id), wider: [] };
    },
  };
}
