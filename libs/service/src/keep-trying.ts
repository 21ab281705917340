import { setTimeout as delay } from 'node:timers/promises';
import { errorText, toServiceError } from './errors.js';
import type { Logger } from './logger.js';
import type { Service } from './service.js';

/** Bounds of the pause after a failure, in milliseconds. */
export interface Pauses {
  readonly firstMs: number;
  readonly maxMs: number;
}

export interface KeepTryingOptions {
  /** Runs until the signal is aborted. Calls `succeeded` after progress: the next failure then counts as the first. */
  work(signal: AbortSignal, succeeded: () => void): Promise<void>;
  /** Called for each failure with the pause that follows and the number of failures since the last success. */
  onFailure(error: unknown, pauseMs: number, failures: number): void;
  /** Default: half a second to 5 seconds. */
  readonly pauses?: Pauses | undefined;
}

export interface StreamFailure {
  /** Failures since the last success. */
  readonly failures: number;
  readonly facts: Readonly<Record<string, unknown>>;
  /** The name of the stream, for example "change feed". */
  readonly stream: string;
  /** The warning when the stream stays broken. */
  readonly broken: string;
}

/**
 * Logs the end of a stream that `keepTrying` opens again. One end is normal, because streams end with their connections
 * and with restarts of services; the log warns only when the stream cannot be opened again.
 */
export function logStreamFailure(logger: Logger, { failures, facts, stream, broken }: StreamFailure): void {
  if (failures === 1) logger.info(facts, `${stream} ended: opening it again`);
  else logger.warn(facts, broken);
}

/** Waits; returns early, without an error, when the signal is aborted. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return delay(ms, undefined, { signal }).catch(() => {});
}

/** The random pause after a failure, in milliseconds; it doubles with each of the failures before. */
export function retryPause(failuresBefore: number, { firstMs, maxMs }: Pauses): number {
  return Math.min(firstMs * 2 ** failuresBefore, maxMs) * (0.75 + Math.random() / 2);
}

const defaultPauses: Pauses = { firstMs: 500, maxMs: 5_000 };

/**
 * Repeats `work` until the signal is aborted: immediately when it returns, after a random pause when it throws. Each
 * failure doubles the pause.
 */
export async function keepTrying(o: KeepTryingOptions, signal: AbortSignal): Promise<void> {
  let failures = 0;
  const succeeded = () => {
    failures = 0;
  };
  while (!signal.aborted) {
    try {
      await o.work(signal, succeeded);
      succeeded();
    } catch (error) {
      if (signal.aborted) return;
      const pauseMs = retryPause(failures, o.pauses ?? defaultPauses);
      failures++;
      o.onFailure(error, pauseMs, failures);
      await pause(pauseMs, signal);
    }
  }
}

/** A start in Kubernetes may take two minutes. */
const storeWaitMs = 60_000;

interface OnceAvailableOptions {
  readonly logger: Logger;
  /** Default: a minute. */
  readonly limitMs?: number | undefined;
  /** Ends the repeats: the work is then not begun again. */
  readonly signal?: AbortSignal;
}

/**
 * Work of a start that needs a store, which may start later or be busy: repeats it while the store is unavailable. After
 * `limitMs`, when the signal is aborted, and for any other reason, throws the error.
 */
export async function onceAvailable<T>(
  work: () => Promise<T>,
  { logger, limitMs = storeWaitMs, signal = new AbortController().signal }: OnceAvailableOptions,
): Promise<T> {
  const giveUp = performance.now() + limitMs;
  for (let failures = 0; ; failures++) {
    try {
      return await work();
    } catch (error) {
      const pauseMs = retryPause(failures, defaultPauses);
      const mayWorkLater = ['unavailable', 'timeout'].includes(toServiceError(error).kind);
      if (!mayWorkLater || performance.now() + pauseMs > giveUp) throw error;
      logger.warn({ reason: errorText(error), pauseMs }, 'cannot reach the store yet');
      await pause(pauseMs, signal);
      if (signal.aborted) throw error;
    }
  }
}

/** `keepTrying` from `start` to `stop`; `stop` waits for `work` to end. */
export function keepTryingService(o: KeepTryingOptions): Service {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  return {
    start: async () => {
      running = keepTrying(o, stopping.signal);
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}
