import type { SubmittedAttribute } from '@cadastre/client';
import { create, update, type WriteAnswer, type WriteOptions } from '../api/objects.js';
import { RequestFailed } from '../api/registry.js';
import type { ObjectName } from '../paths.js';
import { mayPass, pauseBeforeRetry } from './retry.js';

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

/** What every answer to a write has. */
export type Answer = Pick<WriteAnswer, 'status' | 'messages'>;

/** With the pauses between them, half a minute. */
const maxAttempts = 6;

/**
 * Repeats a write, with growing pauses, while its answer is lost or the registry cannot perform it. Only for a write
 * that the registry performs once: with a tag or a key. Calls `tell` before each pause (milliseconds), which `pause`
 * makes. Throws the last failure, with a message that the write may be repeated.
 */
export async function writeOnce<A extends Answer>(
  perform: () => Promise<A>,
  report: () => void,
  pause: (ms: number) => Promise<void> = (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
): Promise<A> {
  for (let attempt = 1; ; attempt++) {
    const result = await perform().catch((error: unknown) => ({ error }));
    const error = 'error' in result ? result.error : undefined;
    if (!('error' in result) && !isStillRunning(result)) return result;
    if (error !== undefined && !mayPass(error)) throw error;
    if (attempt === maxAttempts) throw withoutAnswer(error);
    report();
    await pause(pauseBeforeRetry(attempt, error));
  }
}

/** The first request with the same key has no result yet. */
function isStillRunning({ status, messages }: Answer): boolean {
  return status === 409 && messages.some(({ text }) => text.includes('is still running'));
}

function withoutAnswer(error: unknown): RequestFailed {
  const failure = error instanceof RequestFailed ? error : new RequestFailed(409, []);
  const text = 'It is not known whether this is saved. Try again: the registry saves it only once.';
  return new RequestFailed(failure.status, [...failure.messages, { severity: 'Info', text }]);
}
