import type { SubmittedAttribute } from '@cadastre/client';
import { create, update, type WriteAnswer, type WriteOptions } from '../api/objects.js';
import { RequestFailed } from '../api/registry.js';
import type { ObjectName } from '../paths.js';

/** The destination of a write: a new object of a type, or an existing object. */
export type Destination = { readonly source: string; readonly type: string } | ObjectName;

/** Writes an object or performs a dry run. Throws a RequestFailed without a response about the object. */
export function write(
  to: Destination,
  attributes: readonly SubmittedAttribute[],
  options: WriteOptions,
): Promise<WriteAnswer> {
  return 'key' in to ? update(to, attributes, options) : create(to.source, to.type, attributes, options);
}

/** The common members of all answers to a write. */
export type Answer = Pick<WriteAnswer, 'status' | 'messages'>;

/** With the pauses between them, half a minute. */
const maxAttempts = 6;

/**
 * Retries a write, with growing pauses, while its response is lost or the registry cannot perform it. Only for a write
 * that the registry performs once: with a tag or a key. Calls `report` before each pause (milliseconds), which `pause`
 * makes. Throws the last failure, with a message that a retry is safe.
 */
export async function writeOnce<A extends Answer>(
  perform: () => Promise<A>,
  report: () => void,
  pause: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<A> {
  for (let attempt = 1; ; attempt++) {
    const result = await perform().catch((error: unknown) => ({ error }));
    if (!('error' in result)) return result;
    const { error } = result;
    if (!isRetryable(error)) throw error;
    if (attempt === maxAttempts) throw withoutAnswer(error);
    report();
    await pause(pauseBeforeRetry(attempt, error));
  }
}

function withoutAnswer(error: unknown): RequestFailed {
  const failure = error instanceof RequestFailed ? error : new RequestFailed(0, []);
  const text = 'It is not known whether this is saved. Try again: the registry saves it only once.';
  return new RequestFailed(failure.status, [...failure.messages, { severity: 'Info', text }]);
}

const maxPauseMs = 30_000;

/**
 * Milliseconds before the next attempt after a number of failures: doubles from one second to half a minute, and is
 * never less than the registry requested. `random` (0 to 1) spreads the attempts of many browsers.
 */
export function pauseBeforeRetry(failures: number, error: unknown, random = Math.random()): number {
  const requestedMs = error instanceof RequestFailed ? error.retryAfterSeconds * 1000 : 0;
  const pauseMs = Math.min(maxPauseMs, 1000 * 2 ** (failures - 1)) * (0.75 + random / 2);
  return Math.max(requestedMs, pauseMs);
}

/**
 * Whether a retry may succeed: no response, an overloaded or restarting registry, too many requests; or another request
 * with the same key is still running (409 with Retry-After).
 */
export function isRetryable(error: unknown): boolean {
  if (!(error instanceof RequestFailed)) return false;
  return [0, 429, 500, 502, 503, 504].includes(error.status) || (error.status === 409 && error.retryAfterSeconds > 0);
}
