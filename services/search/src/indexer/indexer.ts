import { EventEmitter, once } from 'node:events';
import { newestChange } from '@cadastre/changes';
import {
  errorText,
  keepTrying,
  type Logger,
  logStreamFailure,
  type Pauses,
  pause,
  ServiceError,
} from '@cadastre/service';
import type { BeginOptions, SearchIndex } from '../index-port.js';
import { followSource } from './follow-source.js';
import { newestSerials, type ObjectsBackend } from './objects-backend.js';
import { type BegunRebuild, beginSourceRebuild } from './rebuild-source.js';

export interface IndexerOptions {
  readonly index: SearchIndex;
  readonly backend: ObjectsBackend;
  /** Upper case. */
  readonly sources: readonly string[];
  readonly logger: Logger;
  /** Pauses while the registry or the index is unavailable. */
  readonly pauses?: Pauses;
  /** Time between two checks for a rebuild that waits to be continued; default 10 s. */
  readonly resumeMs?: number;
}

/** The progress of a rebuild of this process; the stored progress may be less. */
export interface Copied {
  readonly rebuild: string;
  readonly objects: bigint;
}

/** Keeps the index of every source up to date while it runs. */
export type Indexer = ReturnType<typeof createIndexer>;

/** Another process may advance the index; this bounds how long that remains unnoticed. */
const pollMs = 250;
const maxWaitMs = 30_000;

const resumeMs = 10_000;

export function createIndexer(o: IndexerOptions) {
  const stopping = new AbortController();
  const progress = new EventEmitter().setMaxListeners(0);
  const rebuilding = new Set<string>();
  const running = new Set<Promise<void>>();
  const keep = (work: Promise<void>) => {
    running.add(work);
    work.finally(() => running.delete(work));
  };
  const confirmed = new Map<string, Date>();
  const following = new Set<string>();
  const onEnd = (source: string) => void following.delete(source);
  const onProgress = (source: string) => {
    confirmed.set(source, new Date());
    following.add(source);
    progress.emit(source);
  };
  const copied = new Map<string, Copied>();
  const onCopied = (source: string, rebuild: string, objects: bigint) => void copied.set(source, { rebuild, objects });
  const work = { ...o, onProgress, onEnd, onCopied };
  /** Runs a rebuild, which logs and stores its failure. */
  const run = async (source: string, begun: BegunRebuild) => {
    rebuilding.add(source);
    try {
      await begun.run(stopping.signal);
      onProgress(source);
    } catch {
    } finally {
      rebuilding.delete(source);
    }
  };
  /** Continues rebuilds that stopped with their process, in any process, or failed for a reason that may disappear. */
  const keepResuming = async (source: string) => {
    for (; !stopping.signal.aborted; await pause(o.resumeMs ?? resumeMs, stopping.signal)) {
      const state = await o.index.rebuildState(source).catch(() => undefined);
      if (state === undefined || state.phase === 'finished' || state.phase === 'failed') continue;
      const only = { unfinished: true };
      const begun = await beginSourceRebuild(work, source, stopping.signal, only).catch(() => undefined);
      if (begun !== undefined) await run(source, begun);
    }
  };
  return {
    async start() {
      for (const source of o.sources) {
        keep(keepFollowing(work, source, stopping.signal));
        keep(keepResuming(source));
      }
    },
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
    /**
     * Starts a rebuild in the background, or continues an interrupted one unless it is to be `fresh`. Returns its
     * identifier. Errors: ServiceError 'conflict' while one is running.
     */
    async rebuild(source: string, options?: Pick<BeginOptions, 'fresh'>): Promise<string> {
      const begun = await beginSourceRebuild(work, source, stopping.signal, options);
      keep(run(source, begun));
      return begun.id;
    },
    /** Whether this process runs a requested or continued rebuild. */
    isRebuilding: (source: string): boolean => rebuilding.has(source),
    /** The progress of the last rebuild of this process. */
    copied: (source: string): Copied | undefined => copied.get(source),
    /** The registry's newest serial of each source; undefined while the objects service is unavailable. */
    newest: (): Promise<ReadonlyMap<string, bigint> | undefined> => newestSerials(o.backend),
    /** Whether the index of a source follows the registry's feed: then it has no change that the registry lost. */
    isFollowing: (source: string): boolean => following.has(source),
    /** When this process last knew that the index of a source was complete; undefined before. */
    confirmed: (source: string): Date | undefined => confirmed.get(source),
    /**
     * Resolves when queries see the serial. Errors: ServiceError 'out-of-range' immediately when no write has had that
     * serial yet, so that callers cannot make the service wait for nothing; 'timeout' when it takes too long; the
     * signal's reason when it is aborted.
     */
    async reached(source: string, serial: bigint, signal: AbortSignal): Promise<void> {
      const isReached = async () => ((await o.index.position(source))?.serial ?? -1n) >= serial;
      if (await isReached()) return;
      await requireIssued(o.backend, source, serial, signal);
      const limit = AbortSignal.timeout(maxWaitMs);
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
  const newest = await newestChange(backend.reader, source, signal).catch(() => undefined);
  if (newest === undefined || serial <= newest.serial) return;
  const text = `Serial ${serial} does not exist yet: the newest of ${source} is ${newest.serial}`;
  throw new ServiceError('out-of-range', text);
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
