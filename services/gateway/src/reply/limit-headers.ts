import type { StorageUse } from '@cadastre/proto/objects';
import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.js';

/** The header fields with the remaining limits; none before `limitConcurrency` accepts the request. */
export function limitHeaders(
  { limiter }: Pick<Context, 'limiter'>,
  { limitedClient, shownLimits, storageToday }: FastifyRequest,
): Readonly<Record<string, string>> | undefined {
  const headers = shownLimits && limiter.headers(limitedClient, shownLimits);
  return storageToday === undefined ? headers : withStorage(headers, storageToday);
}

const secondsOfDay = 86_400;

function withStorage(headers: Readonly<Record<string, string>> = {}, storage: StorageUse): Record<string, string> {
  const { remaining, seconds } = storageLeft(storage);
  const fields = {
    ratelimit: `"storage";r=${remaining};t=${seconds}`,
    'ratelimit-policy': `"storage";q=${storage.limit};w=${secondsOfDay};qu="content-bytes"`,
  };
  const added = Object.entries(fields).map(([name, field]) => [
    name,
    headers[name] === undefined ? field : `${headers[name]}, ${field}`,
  ]);
  return Object.fromEntries(added);
}

/** How many bytes a caller may still store today, and the seconds until the day ends. */
export function storageLeft({ used, limit, resets }: StorageUse): { remaining: bigint; seconds: number } {
  const seconds = resets === undefined ? 0 : Math.max(0, Math.ceil((resets.getTime() - Date.now()) / 1000));
  return { remaining: used < limit ? limit - used : 0n, seconds };
}
