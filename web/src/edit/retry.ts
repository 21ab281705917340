import { RequestFailed } from '../api/registry.js';

const maxMs = 30_000;

/**
 * Milliseconds before the next attempt after a number of failures: it doubles from one second to half a minute, never
 * less than the registry asked for. `random` (0 to 1) spreads the attempts of many browsers.
 */
export function pauseBeforeRetry(failures: number, error: unknown, random = Math.random()): number {
  const requestedMs = error instanceof RequestFailed ? error.retryAfterSeconds * 1000 : 0;
  const pauseMs = Math.min(maxMs, 1000 * 2 ** (failures - 1)) * (0.75 + random / 2);
  return Math.max(requestedMs, pauseMs);
}

/** Whether a failure may pass by itself: no response, an overloaded or restarting registry, too many requests. */
export function mayPass(error: unknown): boolean {
  return error instanceof RequestFailed && [0, 429, 500, 502, 503, 504].includes(error.status);
}
