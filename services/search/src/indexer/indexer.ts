import { EventEmitter, once } from 'node:events';
import {
  errorText,
  keepTrying,
  type Logger,
  logStreamFailure,
  type Pauses,
  type Service,
  ServiceError,
} from '@cadastre/service';
import type { SearchIndex } from '../index-port.js';
import { followSource } from './follow-source.js';
import { newestSerial, type ObjectsBackend } from './objects-backend.js';
import { beginSourceRebuild } from './rebuild-source.js';

export interface IndexerOptions {
  readonly index: SearchIndex;
  readonly backend: ObjectsBackend;
  /** Upper case. */
  readonly sources: readonly string[];
  readonly logger: Logger;
  /** Pauses while the registry or the index is unavailable. */
  readonly pauses?: Pauses;
}

/** Keeps the index of every source up to date while it runs. */
export interface Indexer extends Service {
  /** Starts a rebuild in the background. Errors: ServiceError 'conflict' while one is running. */
  rebuild(source: string): Promise<void>;
  isRebuilding(source: string): boolean;
  /** When this process last learned that the index of a source has everything; undefined before. */
  confirmed(source: string): Date | undefined;
  /**
   * Resolves when queries see the serial. Errors: ServiceError 'out-of-range' at once when no write has had that serial
   * yet, so that callers cannot make the service wait for nothing; 'timeout' when it takes too long; the signal's
   * reason when it is aborted.
   */
  reached(source: string, serial: bigint, signal: AbortSignal): Promise<void>;
}

/** Another process may advance the index; this bounds how long that stays unnoticed. */
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
  const confirmed = new Map<string, Date>();
  const onProgress = (source: string) => {
    confirmed.set(source, new Date());
    progress.emit(source);
  };
  const follow = { ...o, onProgress };
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
    confirmed: (source) => confirmed.get(source),
    async reached(source, serial, signal) {
      const isReached = async () => ((await o.index.position(source))?.serial ?? -1n) >= serial;
      if (await isReached()) return;
      await requireIssued(o.backend, source, serial, signal);
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

/** While the registry is unavailable, its newest serial is unknown. */
async function requireIssued(
  backend: ObjectsBackend,
  source: string,
  serial: bigint,
  signal: AbortSignal,
): Promise<void> {
  const newest = await newestSerial(backend, source, signal).catch(() => undefined);
  if (newest === undefined || serial <= newest) return;
  throw new ServiceError('out-of-range', `Serial ${serial} does not exist yet: the newest of ${source} is ${newest}`);
}

function keepFollowing(o: Parameters<typeof followSource>[0] & IndexerOptions, source: string, signal: AbortSignal) {
  return keepTrying(
    {
      work(stopping, succeeded) {
        const onProgress = (moved: string) => {
          succeeded();
          o.onProgress(moved);
        };
        return followSource({ ...o, onProgress }, source, stopping);
      },
      onFailure(error, pauseMs, failures) {
        const facts = { source, reason: errorText(error), pauseMs };
        logStreamFailure(o.logger, { failures, facts, stream: 'change feed', broken: 'index does not follow' });
      },
      pauses: o.pauses,
    },
    signal,
  );
}
