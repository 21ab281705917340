import type { Logger, Metrics } from '@cadastre/service';
import type { Redis } from 'ioredis';
import { Gauge } from 'prom-client';
import { connectToRedis, type RedisAccess } from './redis-connection.js';

/**
 * A number that all gateways share. Each adds to its own copy immediately; the next exchange sends what it added and
 * returns what all of them have.
 */
export interface Count {
  /** Name in Redis. */
  readonly key: string;
  /** When it expires, in milliseconds since 1970; absent for a count whose value is that instant. */
  readonly expires: number | undefined;
  /** The value over all gateways at the last exchange, with what this gateway has sent. */
  shared: number;
  /** What this gateway has added since. */
  added: number;
}

/** Makes a count of zero. */
export function newCount(key: string, expires: number | undefined): Count {
  return { key, expires, shared: 0, added: 0 };
}

/** The value, as far as this gateway knows it. */
export function amountOf({ shared, added }: Count): number {
  return shared + added;
}

/** Synchronizes the counts of this gateway with those of the others. */
export interface SharedCounts {
  /** Includes a count in the next exchange. Call it when the count changed, or may have changed elsewhere. */
  share(count: Count): void;
  /** Whether the last exchange succeeded; true before the first. */
  isConnected(): boolean;
  start(): void;
  /** Sends the remaining counts, if possible. */
  stop(): Promise<void>;
}

export interface SharedCountsOptions {
  /** Name of the service that counts. */
  readonly service: string;
  readonly access: RedisAccess;
  /** What all keys begin with. */
  readonly keyPrefix: string;
  /** Time between two exchanges. */
  readonly intervalMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

const batchSize = 1000;
/** Maximum counts that wait while Redis is unavailable. The oldest are dropped. */
const maxWaiting = 100_000;

/**
 * Exchanges counts in batches, because a call per request would cost more than the typical response. While Redis is
 * unavailable, each gateway counts alone; it sends its counts after Redis returns.
 */
export function createSharedCounts(o: SharedCountsOptions): SharedCounts {
  const { intervalMs, now, logger, metrics } = o;
  const redis = connectRedis(o);
  let waiting = new Set<Count>();
  let isConnected = true;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();

  const exchangeAll = async () => {
    const time = now();
    const counts = [...waiting].filter(({ expires = Number.POSITIVE_INFINITY }) => expires > time);
    waiting = new Set();
    try {
      for (let at = 0; at < counts.length; at += batchSize) {
        await exchange(redis, counts.slice(at, at + batchSize), time);
      }
      if (counts.length === 0 && !isConnected) await exchange(redis, [], time);
      if (!isConnected) logger.info('query limits are shared again');
      isConnected = true;
    } catch (error) {
      waiting = new Set([...counts, ...waiting].slice(-maxWaiting));
      if (isConnected) logger.warn({ err: error }, 'query limits are not shared: Redis does not answer');
      isConnected = false;
      await leaveFormerPrimary(redis);
    }
  };
  const schedule = () => {
    timer = setTimeout(() => {
      running = exchangeAll().then(() => {
        if (timer !== undefined) schedule();
      });
    }, intervalMs);
  };
  new Gauge({
    name: 'cadastre_limits_shared',
    help: '1 while query limits are shared through Redis, 0 while Redis is unavailable.',
    registers: [metrics],
    collect() {
      this.set(isConnected ? 1 : 0);
    },
  });
  return {
    share: (count) => void waiting.add(count),
    isConnected: () => isConnected,
    start: schedule,
    async stop() {
      clearTimeout(timer);
      timer = undefined;
      await running;
      await exchangeAll();
      redis.disconnect();
    },
  };
}

/** Timeout of a call: a Redis that hangs counts as unavailable. */
const commandTimeoutMs = 1000;
const maxPauseMs = 2000;

/**
 * Updates many counts in one round trip. Arguments for each key: the value at the last exchange, the amount to add, and
 * the lifetime in milliseconds. A value never falls below what a gateway has received, so a Redis that lost its data
 * recovers.
 */
const exchangeScript = `
local values = {}
for i, key in ipairs(KEYS) do
  local shared, added, lifetime = tonumber(ARGV[3 * i - 2]), tonumber(ARGV[3 * i - 1]), ARGV[3 * i]
  local stored = tonumber(redis.call('GET', key) or 0)
  values[i] = math.max(stored, shared) + added
  if values[i] > stored then redis.call('SET', key, string.format('%.0f', values[i]), 'PX', lifetime) end
end
return values
`;

interface CountsRedis extends Redis {
  exchangeCounts(keys: number, ...keysAndArguments: (string | number)[]): Promise<number[]>;
}

/** Connects by itself, and reconnects after every loss. */
function connectRedis({ service, access, keyPrefix, logger }: SharedCountsOptions): CountsRedis {
  const redis = connectToRedis(access, {
    keyPrefix,
    connectionName: `cadastre-${service}`,
    commandTimeout: commandTimeoutMs,
    connectTimeout: 5 * commandTimeoutMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(100 * attempt, maxPauseMs),
    scripts: { exchangeCounts: { lua: exchangeScript } },
  }) as CountsRedis;
  // The callers log failed exchanges. Without a listener this event would end the process.
  redis.on('error', (error) => logger.debug({ err: error }, 'no connection to Redis'));
  return redis;
}

/** The primary may hang, or be a replica now: reconnects to the primary that the Sentinels name. */
async function leaveFormerPrimary(redis: Redis): Promise<void> {
  if (redis.options.sentinels === undefined || redis.status !== 'ready') return;
  const closed = new Promise<void>((resolve) => redis.once('close', () => resolve()));
  redis.disconnect(true);
  await closed;
}

async function exchange(redis: CountsRedis, counts: readonly Count[], now: number): Promise<void> {
  if (redis.status !== 'ready') throw new Error('no connection');
  const keys = counts.map(({ key }) => key);
  const updates = counts.flatMap(({ shared, added, expires }) => {
    return [shared, added, Math.max(1, Math.ceil((expires ?? shared) - now))];
  });
  // An exchange that fails may have arrived: never send its additions twice.
  for (const count of counts) {
    count.shared += count.added;
    count.added = 0;
  }
  const values = await redis.exchangeCounts(keys.length, ...keys, ...updates);
  counts.forEach((count, index) => {
    count.shared = values[index] ?? count.shared;
  });
}
