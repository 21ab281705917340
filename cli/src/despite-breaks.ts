import { setTimeout as delay } from 'node:timers/promises';
import { type FailureKind, retryPause, ServiceError } from '@cadastre/service';
import { InvalidArgumentError, Option } from 'commander';
import { CommandFailure, explain } from './failure.js';
import { type Io, note } from './io.js';

/** A stream of messages that can resume after a break of the connection, the service or its database. */
export interface Resumable<T> {
  /** Opens the stream where the messages so far ended. */
  open(): AsyncIterable<T>;
  /** Whether a message makes progress; a stream that only repeats itself must not continue forever. */
  isProgress(message: T): boolean;
  /** Describes where the stream resumes, for example "resuming at object 7"; throws a CommandFailure when it cannot. */
  goOn(): string;
  readonly signal: AbortSignal;
  /** How long to retry without progress, in milliseconds. */
  readonly retryMs: number;
}

const pauses = { firstMs: 500, maxMs: 15_000 };

/** Temporary failures. All others are answers: the same request would get them again. */
const passing: ReadonlySet<FailureKind> = new Set(['unavailable', 'exhausted']);

/**
 * The messages of a stream. When it breaks, opens it again after a pause, which doubles with each failure, and reports
 * this on standard error. Retries only if the registry has answered once.
 */
export async function* despiteBreaks<T>(io: Io, stream: Resumable<T>): AsyncGenerator<T> {
  const { signal, retryMs } = stream;
  let answered = false;
  let failures = 0;
  let brokenAt = 0;
  for (;;) {
    try {
      for await (const message of stream.open()) {
        answered = true;
        if (stream.isProgress(message)) failures = 0;
        yield message;
      }
      return;
    } catch (error) {
      if (!answered || signal.aborted || !(error instanceof ServiceError) || !passing.has(error.kind)) throw error;
      const pauseMs = retryPause(failures, pauses);
      if (failures === 0) brokenAt = Date.now();
      if (Date.now() + pauseMs - brokenAt > retryMs) throw gaveUp(error, retryMs);
      const next = stream.goOn();
      if (failures === 0) note(io, `connection lost; ${next}`);
      failures++;
      await delay(pauseMs, undefined, { signal });
    }
  }
}

function gaveUp(error: ServiceError, retryMs: number): Error {
  if (retryMs === 0) return error;
  return new CommandFailure(`No progress for ${retryMs / 1000} s after the connection was lost. ${explain(error)}`);
}

const unitsMs = { s: 1000, m: 60_000, h: 3_600_000 };

/** The option of commands that resume after a break; its value is in milliseconds. */
export function retryOption(): Option {
  return new Option('--retry <time>', 'how long to retry without progress after a lost connection; 0s: not at all')
    .default(5 * unitsMs.m, '5m')
    .argParser((text) => {
      const [, count, unit] = /^(\d{1,6})([smh])$/.exec(text) ?? [];
      if (count === undefined) throw new InvalidArgumentError('It must be a time such as 30s, 5m or 2h.');
      return Number(count) * unitsMs[unit as keyof typeof unitsMs];
    });
}
