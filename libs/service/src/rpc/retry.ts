import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../errors.js';
import type { CallOptions } from './types.js';

const firstPauseMs = 50;
/** Below the longest pause between two attempts to connect (channel.ts). */
const longestPauseMs = 300;
/**
 * Longer than a channel takes to notice that its server is back (channel.ts), so that a read does not fail where a write
 * over another channel just succeeded. What fails more slowly hangs: more attempts only make the caller wait longer.
 */
const patienceMs = 1000;

/**
 * Repeats a call for up to a second while the server is unavailable, with short random pauses and one deadline for all
 * attempts.
 */
export async function withRetry<T>(
  options: CallOptions,
  defaultMs: number,
  attempt: (options: CallOptions) => Promise<T>,
): Promise<T> {
  const start = Date.now();
  const end = start + (options.deadlineMs ?? defaultMs);
  for (let made = 1; ; made++) {
    try {
      return await attempt({ ...options, deadlineMs: Math.max(0, end - Date.now()) });
    } catch (error) {
      const pause = Math.min(firstPauseMs * 4 ** (made - 1), longestPauseMs) * (0.5 + Math.random());
      const retriable = error instanceof ServiceError && error.kind === 'unavailable';
      const latest = Math.min(end, start + patienceMs);
      if (!retriable || Date.now() + pause >= latest) throw error;
      await delay(pause, undefined, options.signal ? { signal: options.signal } : {}).catch(() => {
        throw error;
      });
    }
  }
}
