import { randomUUID } from 'node:crypto';
import type { Logger } from '@cadastre/service';
import { Redis } from 'ioredis';
import type { CountPart, CountStore } from './count.js';

/** Longest wait for an answer: a Redis that hangs counts as one that is away. */
const commandTimeoutMs = 1000;
const longestPauseMs = 2000;

/**
 * One round trip for many counts. A count is a hash of parts. Arguments for each key: name of the own part, kind, own
 * part, lifetime in milliseconds. A part that arrives late does not undo a later one.
 */
const exchangeScript = `
local answer = {}
for i, key in ipairs(KEYS) do
  local name, kind, own, lifetime = ARGV[4 * i - 3], ARGV[4 * i - 2], ARGV[4 * i - 1], ARGV[4 * i]
  local parts, others, before = redis.call('HGETALL', key), 0, 0
  for j = 1, #parts, 2 do
    local part = tonumber(parts[j + 1])
    if parts[j] == name then before = part
    elseif kind == 'sum' then others = others + part
    else others = math.max(others, part) end
  end
  if tonumber(own) > before then
    redis.call('HSET', key, name, own)
    redis.call('PEXPIRE', key, lifetime)
  end
  answer[i] = string.format('%.0f', others)
end
return answer
`;

interface CountsRedis extends Redis {
  exchangeCounts(keys: number, ...keysAndArguments: (string | number)[]): Promise<string[]>;
}

/** Counts in Redis. Connects by itself, and again after every loss; while there is no connection calls fail at once. */
export function redisCountStore(url: string, keyPrefix: string, logger: Logger): CountStore {
  const redis = new Redis(url, {
    keyPrefix,
    connectionName: 'cadastre-gateway',
    commandTimeout: commandTimeoutMs,
    connectTimeout: 5 * commandTimeoutMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(100 * attempt, longestPauseMs),
    scripts: { exchangeCounts: { lua: exchangeScript } },
  }) as CountsRedis;
  const gateway = randomUUID();
  // What it means for the limits is said where calls fail; without a listener it would end the process.
  redis.on('error', (error) => logger.debug({ err: error }, 'no connection to Redis'));
  return {
    async exchange(parts) {
      if (parts.length > 0) return (await redis.exchangeCounts(...argumentsOf(gateway, parts))).map(Number);
      await redis.ping();
      return [];
    },
    close: () => redis.disconnect(),
  };
}

function argumentsOf(gateway: string, parts: readonly CountPart[]): [number, ...(string | number)[]] {
  const keys = parts.map(({ key }) => key);
  const details = parts.flatMap(({ part, kind, own, lifetimeMs }) => {
    return [`${gateway}/${part}`, kind, own, Math.ceil(lifetimeMs)];
  });
  return [parts.length, ...keys, ...details];
}
