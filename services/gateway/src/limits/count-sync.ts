import type { Logger } from '@cadastre/service';
import type { Count, CountPart, CountStore } from './count.js';

/** Keeps the counts of this gateway and those of the others together. */
export interface CountSync {
  /** Has a count sent and heard with the next exchange. To be called when it changed, or may have changed elsewhere. */
  touch(count: Count): void;
  /** Whether the last exchange went well; true before the first. */
  connected(): boolean;
  start(): void;
  /** Sends what is left, if that is possible. */
  stop(): Promise<void>;
}

export interface CountSyncOptions {
  readonly store: CountStore;
  /** Time between two exchanges. */
  readonly intervalMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly logger: Logger;
}

const batchSize = 1000;
/** Counts that wait while the store is away; beyond that the oldest are given up. */
const mostWaiting = 100_000;

/**
 * Exchanges counts in batches instead of asking for each request: that would cost more than most answers. While the
 * store is away counts go on here, and what was not sent is sent when it is back.
 */
export function createCountSync({ store, intervalMs, now, logger }: CountSyncOptions): CountSync {
  let touched = new Set<Count>();
  let connected = true;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const exchange = async () => {
    const taken = [...touched].filter(({ expires }) => expires > now());
    touched = new Set();
    try {
      for (let at = 0; at < taken.length; at += batchSize)
        await exchangeBatch(store, taken.slice(at, at + batchSize), now());
      if (taken.length === 0 && !connected) await store.exchange([]);
      if (!connected) logger.info('query limits are shared again');
      connected = true;
    } catch (error) {
      touched = new Set([...taken, ...touched].slice(-mostWaiting));
      if (connected) logger.warn({ err: error }, 'query limits are not shared: Redis does not answer');
      connected = false;
    }
  };
  const plan = () => {
    timer = setTimeout(() => {
      running = exchange().then(() => {
        if (timer !== undefined) plan();
      });
    }, intervalMs);
  };
  return {
    touch: (count) => void touched.add(count),
    connected: () => connected,
    start: plan,
    async stop() {
      clearTimeout(timer);
      timer = undefined;
      await running;
      await exchange();
      store.close();
    },
  };
}

async function exchangeBatch(store: CountStore, counts: readonly Count[], now: number): Promise<void> {
  const others = await store.exchange(counts.map((count) => partOf(count, now)));
  counts.forEach((count, index) => {
    count.others = others[index] ?? count.others;
  });
}

function partOf({ key, part, kind, own, expires }: Count, now: number): CountPart {
  const end = kind === 'sum' ? expires : own;
  return { key, part, kind, own, lifetimeMs: Math.max(1, end - now) };
}
