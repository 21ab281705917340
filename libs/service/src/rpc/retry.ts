import { setTimeout as delay } from 'node:timers/promises';
import { ServiceError } from '../errors.js';
import { isUnanswered } from './status.js';
import type { CallOptions } from './types.js';

const firstPauseMs = 50;
/** Below the maximum pause between two attempts to connect (channel.ts). */
const maxPauseMs = 300;
/**
 * Longer than a channel needs to notice that its server is back (channel.ts), so that a read does not fail when a write
 * over another channel has just succeeded.
 */
const retryMs = 1000;

/**
 * The attempts of one call, with one deadline for all of them: for up to a second while the server is unavailable,
 * with short random pauses. The second begins with the call, because a server that takes longer to answer that it is
 * unavailable only makes the caller wait. When no server answered, the connection ended: the second begins then, and the
 * next attempt uses another replica.
 */
function startAttempts(options: CallOptions, defaultMs: number) {
  const start = Date.now();
  const end = start + (options.deadlineMs ?? defaultMs);
  let made = 0;
  let latest = start + retryMs;
  return {
    next: (): CallOptions => ({ ...options, deadlineMs: Math.max(0, end - Date.now()) }),
    /** Waits before the next attempt; throws the error when there is none. */
    async pauseAfter(error: unknown): Promise<void> {
      if (!(error instanceof ServiceError) || error.kind !== 'unavailable') throw error;
      if (made === 0 && isUnanswered(error)) latest = Date.now() + retryMs;
      const pause = Math.min(firstPauseMs * 4 ** made, maxPauseMs) * (0.5 + Math.random());
      made++;
      if (Date.now() + pause >= Math.min(end, latest)) throw error;
      await delay(pause, undefined, options.signal ? { signal: options.signal } : {}).catch(() => {
        throw error;
      });
    },
  };
}

/** Retries a call while the server is unavailable; `defaultMs` is its deadline when the options have none. */
export async function withRetry<T>(
  options: CallOptions,
  defaultMs: number,
  attempt: (options: CallOptions) => Promise<T>,
): Promise<T> {
  const attempts = startAttempts(options, defaultMs);
  for (;;) {
    try {
      return await attempt(attempts.next());
    } catch (error) {
      await attempts.pauseAfter(error);
    }
  }
}

/** Retries a call with a response stream, until its first message, while the server is unavailable. */
export async function* untilFirstMessage<T>(
  options: CallOptions,
  defaultMs: number,
  attempt: (options: CallOptions) => AsyncIterable<T>,
): AsyncGenerator<T> {
  const attempts = startAttempts(options, defaultMs);
  for (let hasBegun = false; ; ) {
    try {
      for await (const message of attempt(attempts.next())) {
        hasBegun = true;
        yield message;
      }
      return;
    } catch (error) {
      if (hasBegun) throw error;
      await attempts.pauseAfter(error);
    }
  }
}
