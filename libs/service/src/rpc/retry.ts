import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../errors.js';
import type { CallOptions } from './types.js';

const attempts = 3;
const firstPauseMs = 50;

/** Calls again when the server was unavailable, after a short random pause and within one deadline for all attempts. */
export async function withRetry<T>(
  options: CallOptions,
  defaultMs: number,
  attempt: (options: CallOptions) => Promise<T>,
): Promise<T> {
  const end = Date.now() + (options.deadlineMs ?? defaultMs);
  for (let made = 1; ; made++) {
    try {
      return await attempt({ ...options, deadlineMs: Math.max(0, end - Date.now()) });
    } catch (error) {
      const pause = firstPauseMs * 4 ** (made - 1) * (0.5 + Math.random());
      const retriable = error instanceof ServiceError && error.kind === 'unavailable';
      if (!retriable || made === attempts || Date.now() + pause >= end) throw error;
      await delay(pause, undefined, options.signal ? { signal: options.signal } : {}).catch(() => {
        throw error;
      });
    }
  }
}
