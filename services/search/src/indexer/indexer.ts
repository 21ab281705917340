import { EventEmitter, once } from 'node:events';
import { errorText, type Logger, type Service, ServiceError } from '@cadastre/service';
import type { SearchIndex } from '../index-port.js';
import { type BackOff, keepTrying } from './back-off.js';
import { followSource } from './follow-source.js';
import { beginSourceRebuild } from './rebuild-source.js';
import { newestSerial, type Truth } from './truth.js';

export interface IndexerOptions {
  readonly index: SearchIndex;
  readonly truth: Truth;
  /** Upper case. */
  readonly sources: readonly string[];
  readonly logger: Logger;
  /** Pauses while the registry or the index is away; half a second to 15 seconds unless told. */
  readonly backOff?: BackOff;
}

/** Keeps the index of every source up to date for as long as it runs. */
export interface Indexer extends Service {
  /** Begins a rebuild; it goes on by itself. Errors: ServiceError 'conflict' while one is running. */
  rebuild(source: string): Promise<void>;
  isRebuilding(source: string): boolean;
  /**
   * Settles when queries see the serial. Errors: ServiceError 'out-of-range' at once when no write has had that serial
   * yet, so that nobody keeps us waiting for nothing; 'timeout' when it takes too long; the signal's reason when it is
   * aborted.
   */
  reached(source: string, serial: bigint, signal: AbortSignal): Promise<void>;
}

/** Another process may move the index too; how long that can go unnoticed. */
const pollMs = 250;
const longestWaitMs = 30_000;

export function createIndexer(o: IndexerOptions): Indexer {
  const stopping = new AbortController();
  const progress = new EventEmitter().setMaxListeners(0);
  const rebuilding = new Set<string>();
  const running = new Set<Promise<void>>();
  const keep = (work: Promise<void>) => {
    running.add(work);
    work.finally(() => running.delete(work));
  };
  const follow = { ...o, onProgress: (source: string) => progress.emit(source) };
  return {
    async start() {
      for (const source of o.sources) keep(keepFollowing(follow, source, stopping.signal));
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
    async rebuild(source) {
      const rest = await beginSourceRebuild(o, source);
      rebuilding.add(source);
      keep(
        rest(stopping.signal)
          .catch((error) => o.logger.error({ source, err: error }, 'rebuild failed'))
          .finally(() => rebuilding.delete(source)),
      );
    },
    isRebuilding: (source) => rebuilding.has(source),
    async reached(source, serial, signal) {
      const isReached = async () => ((await o.index.position(source))?.serial ?? -1n) >= serial;
      if (await isReached()) return;
      await requireGiven(o.truth, source, serial, signal);
      const limit = AbortSignal.timeout(longestWaitMs);
      while (!(await isReached())) {
        signal.throwIfAborted();
        if (limit.aborted) throw new ServiceError('timeout', `The index has not reached serial ${serial} yet`);
        const step = AbortSignal.any([signal, AbortSignal.timeout(pollMs)]);
        await once(progress, source, { signal: step }).catch(() => {});
      }
    },
  };
}

/** While the registry is away, what it has given is not known. */
async function requireGiven(truth: Truth, source: string, serial: bigint, signal: AbortSignal): Promise<void> {
  const newest = await newestSerial(truth, source, signal).catch(() => undefined);
  if (newest === undefined || serial <= newest) return;
  throw new ServiceError('out-of-range', `Serial ${serial} is not given yet: the newest of ${source} is ${newest}`);
}

function keepFollowing(o: Parameters<typeof followSource>[0] & IndexerOptions, source: string, signal: AbortSignal) {
  return keepTrying(
    (succeeded) => {
      const onProgress = (moved: string) => {
        succeeded();
        o.onProgress(moved);
      };
      return followSource({ ...o, onProgress }, source, signal);
    },
    (error, pauseMs, failures) => {
      // Connections between services end every few minutes: one failure is no news.
      const level = failures === 1 ? 'info' : 'warn';
      o.logger[level]({ source, reason: errorText(error), pauseMs }, 'index does not follow');
    },
    o.backOff ?? { firstMs: 500, longestMs: 15_000 },
    signal,
  );
}
