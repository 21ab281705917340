import { setTimeout as delay } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { withSteps } from './async-iterables.js';

/** Shares costly reads among clients: a client with many requests gets no more than one with a single request. */
export interface Turns {
  /** The turns of one request of a client. Aborting the signal rejects waiting reads with its reason. */
  of(client: string, signal: AbortSignal): ClientTurns;
  /** Whether reads wait for their turn. */
  isBusy(): boolean;
}

/** The turns of one request. */
export interface ClientTurns {
  /** Runs `read` when it is the client's turn. */
  read<T>(read: () => Promise<T>): Promise<T>;
  /** Yields the same items; the client counts as reading while an item is produced, and shortly after. */
  present<T>(items: AsyncIterable<T>): AsyncIterable<T>;
  /** Returns how many whole milliseconds the reads of this request have run since the previous call, without waiting. */
  takeSpentMs(): number;
}

interface Client {
  /** Number of items in production. */
  present: number;
  /** When the last item was produced, in milliseconds. */
  produced: number;
  /** Whether a timer is set for the end of that time. */
  lingers: boolean;
  /** Number of running reads. */
  reading: number;
  /** Functions that start the waiting reads, in order. */
  readonly waiting: Set<(isCostly: boolean) => void>;
}

/** A client that requests the next item within this time is still reading: items need time to travel. */
const lingerMs = 100;

/**
 * Reads of a client that take longer, on average, are costly, if they also take at least half as long as those of all.
 */
const smallMs = 20;
/** All shorter reads count the same. */
const quickMs = 4;
const maxMs = 160;
/** Maximum pause after a costly read. */
const maxRestMs = 2_000;

/**
 * Lets at most `atOnce` reads run concurrently. With several clients each has one at a time, and waiting clients take
 * turns; a client that reads alone may have `alone` at a time.
 * Clients whose recent reads took less time come first. Costly clients, whose reads took long, have at most half of the
 * reads. Their reads do not begin while this process is late, and the next one begins after a pause. So clients with
 * small reads hardly notice them (ADR 0075). A client that reads alone is never costly.
 */
export function createTurns(atOnce: number, alone = atOnce): Turns {
  // In the order of their next turns.
  const clients = new Map<string, Client>();
  const costs = createClientCosts({ quickMs, maxMs });
  const maxCostly = Math.max(1, Math.floor(atOnce / 2));
  let reading = 0;
  let costly = 0;
  let waiting = 0;

  const clientOf = (id: string): Client => {
    const client = clients.get(id) ?? { present: 0, produced: 0, lingers: false, reading: 0, waiting: new Set() };
    clients.set(id, client);
    return client;
  };
  const isCostly = (id: string) => clients.size > 1 && costs.of(id) > Math.max(smallMs, costs.usual() / 2);
  const mayRead = (id: string, client: Client) =>
    reading < atOnce && client.reading < (clients.size > 1 ? 1 : alone) && (costly < maxCostly || !isCostly(id));
  /** Returns whether the read is costly. */
  const begin = (id: string, client: Client): boolean => {
    clients.delete(id);
    clients.set(id, client);
    client.reading++;
    reading++;
    if (!isCostly(id)) return false;
    costly++;
    return true;
  };
  const grant = () => {
    while (waiting > 0 && reading < atOnce) {
      const able = [...clients].filter(([id, client]) => client.waiting.size > 0 && mayRead(id, client));
      if (able.length === 0) return;
      const next = able.reduce((best, other) => (costs.orderOf(other[0]) < costs.orderOf(best[0]) ? other : best));
      const [id, client] = next;
      const [resume] = client.waiting;
      client.waiting.delete(resume!);
      resume!(begin(id, client));
    }
  };
  const settle = (id: string, client: Client) => {
    if (client.present + client.reading + client.waiting.size === 0 && !client.lingers) clients.delete(id);
    grant();
  };
  /** One timer for all items of a client. */
  const linger = (id: string, client: Client, waitMs: number) => {
    client.lingers = true;
    const expire = () => {
      const leftMs = client.produced + lingerMs - performance.now();
      client.lingers = false;
      if (leftMs > 0) linger(id, client, leftMs);
      else settle(id, client);
    };
    setTimeout(expire, waitMs).unref();
  };
  const turn = (id: string, client: Client, signal: AbortSignal) =>
    new Promise<boolean>((resolve, reject) => {
      const resume = (isCostly: boolean) => {
        waiting--;
        signal.removeEventListener('abort', giveUp);
        resolve(isCostly);
      };
      const giveUp = () => {
        waiting--;
        client.waiting.delete(resume);
        reject(signal.reason);
        settle(id, client);
      };
      signal.addEventListener('abort', giveUp, { once: true });
      client.waiting.add(resume);
      waiting++;
    });
  return {
    isBusy: () => waiting > 0,
    of: (id, signal) => {
      let spentMs = 0;
      return {
        async read(read) {
          signal.throwIfAborted();
          const client = clientOf(id);
          // The waiting clients may not read now, so this overtakes none of them.
          const isOfCostly = mayRead(id, client) ? begin(id, client) : await turn(id, client, signal);
          let began = performance.now();
          let wasLate = false;
          try {
            if (isOfCostly) {
              wasLate = await untilOnTime(signal);
              began = performance.now();
            }
            return await read();
          } finally {
            const tookMs = performance.now() - began;
            spentMs += tookMs;
            costs.note(id, tookMs);
            client.reading--;
            reading--;
            settle(id, client);
            const rested = () => {
              costly--;
              grant();
            };
            // Pauses as long as the read took, twice as long on a busy machine.
            if (isOfCostly) setTimeout(rested, Math.min((wasLate ? 2 : 1) * tookMs, maxRestMs)).unref();
          }
        },
        present: (items) =>
          withSteps(items, async (iterator) => {
            const client = clientOf(id);
            client.present++;
            try {
              return await iterator.next();
            } finally {
              client.present--;
              client.produced = performance.now();
              if (!client.lingers) linger(id, client, lingerMs);
            }
          }),
        takeSpentMs() {
          const ms = Math.round(spentMs);
          spentMs = 0;
          return ms;
        },
      };
    },
  };
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

/** The recent costs of one kind of work of clients. */
export function createClientCosts({ quickMs, maxMs }: ClientCostsOptions) {
  const costs = new LRUCache<string, number>({ max: rememberedClients, ttl: rememberedMs });
  let usual = 0;
  const costOf = (client: string) => costs.get(client) ?? usual;
  return {
    /** The average of a client in milliseconds; for an unknown client that of all clients. */
    of: costOf,
    /** The average of all clients. */
    usual: (): number => usual,
    /** The position of a client in the order of costs. Similar costs have the same number: their clients take turns. */
    orderOf: (client: string): number => Math.ceil(Math.log2(Math.max(quickMs, costOf(client)))),
    /** Records how long a piece of work took, in milliseconds. */
    note(client: string, ms: number): void {
      const cost = Math.min(ms, maxMs);
      costs.set(client, (1 - newestShare) * (costs.get(client) ?? cost) + newestShare * cost);
      usual = (1 - newestShare) * usual + newestShare * cost;
    },
  };
}

/** Duration of a timer, and the maximum delay of a timer when the process is on time. Milliseconds. */
const timerMs = 10;
const onTimeMs = 8;
/** After this many late timers the work begins anyway. */
const maxTimers = 160;

/**
 * Waits until this process is on time, at most about three seconds, and returns whether it was late. Await this before
 * costly work: a late process has cheap requests waiting, for the processor or for its event loop. Rejects when the
 * signal aborts.
 */
export async function untilOnTime(signal?: AbortSignal): Promise<boolean> {
  for (let n = 0; n < maxTimers; n++) {
    const began = performance.now();
    await delay(timerMs, undefined, { ...(signal && { signal }) });
    if (performance.now() - began <= timerMs + onTimeMs) return n > 0;
  }
  return true;
}
