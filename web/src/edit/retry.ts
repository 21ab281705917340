import { RequestFailed } from '../api/registry.js';

const maxMs = 30_000;

/**
 * Milliseconds before the next attempt after a number of failures: doubles from one second to half a minute, and is
 * never less than the registry requested. `random` (0 to 1) spreads the attempts of many browsers.
 */
export function pauseBeforeRetry(failures: number, error: unknown, random = Math.random()): number {
  const requestedMs = error instanceof RequestFailed ? error.retryAfterSeconds * 1000 : 0;
  const pauseMs = Math.min(maxMs, 1000 * 2 ** (failures - 1)) * (0.75 + random / 2);
  return Math.max(requestedMs, pauseMs);
}

/**
 * Whether a retry may succeed: no response, an overloaded or restarting registry, too many requests; or another request
 * with the same key is still running (409 with Retry-After).
 */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof RequestFailed)) return false;
  return [0, 429, 500, 502, 503, 504].includes(error.status) || (error.status === 409 && error.retryAfterSeconds > 0);
}
