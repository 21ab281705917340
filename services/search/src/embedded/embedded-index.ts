import { randomInt } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createWorkerPool, type Logger, ServiceError } from '@cadastre/service';
import {
  type BeginOptions,
  type FeedPosition,
  type IndexedObject,
  type Matches,
  mayHave,
  type ObjectId,
  objectIdText,
  type Rebuild,
  type SearchIndex,
} from '../index-port.js';
import { type IndexFile, indexFiles, isDamage } from './index-files.js';
import { beginningOf, isKnown, isLong, type PageStart, type QueryPage, readPage } from './query-page.js';
import { nearestWithIrts } from './range-matches.js';
import type * as readerThread from './reader-thread.js';
import { type KeyedObjects, readByKey, type TypedKey } from './reads.js';
import { type FileState, readState, rebuildStateOf } from './state.js';
import { type Tables, typeNumber } from './tables.js';
import type * as writerThread from './writer-thread.js';

export interface EmbeddedIndexOptions {
  /** The directory of the files, for this process alone. */
  readonly directory: string;
  readonly logger: Logger;
}

/** Threads for reads that may take long. */
const readers = 2;
const readDeadlineMs = 10_000;
/** Building the indexes of ten million objects takes minutes. */
const writeDeadlineMs = 3 * 3_600_000;
const writerMemoryMb = 512;
/** When a copy is still this far behind after its wait, it no longer delays the changes of the index in use. */
const maxHoldMs = 2_000;

/** The index of a source that queries see. */
interface InUse {
  readonly file: IndexFile;
  readonly tables: Tables;
}

/**
 * The index in files of this process: one SQLite file for each source. The event loop reads pages of queries itself, in
 * a fraction of a millisecond; threads write, and read what takes longer. A rebuild fills another file, which then
 * replaces the first: of the finished files of a source the newest is in use.
 */
export function createEmbeddedIndex({ directory, logger }: EmbeddedIndexOptions): SearchIndex {
  const files = indexFiles(directory, logger);
  const writerOptions = {
    tasks: new URL('./writer-thread.js', import.meta.url),
    threads: 1,
    maxWaiting: Number.POSITIVE_INFINITY,
    deadlineMs: writeDeadlineMs,
    maxMemoryMb: writerMemoryMb,
  };
  // Batches do not wait for rebuilds.
  const writer = createWorkerPool<typeof writerThread>(writerOptions);
  const builder = createWorkerPool<typeof writerThread>(writerOptions);
  const reader = createWorkerPool<typeof readerThread>({
    tasks: new URL('./reader-thread.js', import.meta.url),
    threads: readers,
    maxWaiting: Number.POSITIVE_INFINITY,
    deadlineMs: readDeadlineMs,
  });
  const inUse = new Map<string, InUse>();
  /** Sources whose index was damaged, until they have another one. */
  const lost = new Set<string>();
  const rebuilding = new Set<string>();
  /** Sources whose copy is slightly behind: batches wait for it, or it would never catch up under constant writes. */
  const held = new Map<string, { readonly ended: Promise<void>; end(): void }>();
  const holdBatches = (source: string) => {
    if (held.has(source)) return;
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => goOn(source), maxHoldMs).unref();
    held.set(source, {
      ended,
      end() {
        clearTimeout(timer);
        resolve();
      },
    });
  };
  const goOn = (source: string) => {
    held.get(source)?.end();
    held.delete(source);
  };
  /** Batches and switches of a source come one after the other. */
  const last = new Map<string, Promise<unknown>>();
  const inOrder = <T>(source: string, work: () => Promise<T>): Promise<T> => {
    const result = (last.get(source) ?? Promise.resolve()).then(work);
    last.set(
      source,
      result.catch(() => {}),
    );
    return result;
  };
  const use = (file: IndexFile) => {
    const tables = files.open(file);
    if (tables === undefined) throw new ServiceError('unavailable', `The index of ${file.source} cannot be read`);
    inUse.get(file.source)?.tables.close();
    inUse.set(file.source, { file, tables });
    lost.delete(file.source);
  };
  /** Reads the index of a source; undefined without one. Sets a damaged file aside: then the index is built again. */
  const guarded = async <T>(source: string, read: (index: InUse) => T | Promise<T>): Promise<T | undefined> => {
    const index = inUse.get(source);
    if (index === undefined) return undefined;
    try {
      return await read(index);
    } catch (error) {
      if (!isDamage(error)) throw error;
      if (inUse.get(source) === index) {
        inUse.delete(source);
        lost.add(source);
        index.tables.close();
        files.putAside(index.file, error);
      }
      throw new ServiceError('unavailable', `The index of ${source} is damaged`, { cause: error });
    }
  };
  const reading = <T>(source: string, read: (tables: Tables) => T) =>
    guarded(source, ({ tables }) => tables.reading(() => read(tables)));
  type Reads = typeof readerThread;
  type FurtherParameters<N extends keyof Reads> = Reads[N] extends (file: never, ...further: infer P) => unknown
    ? P
    : never;
  /** Reads on another thread. */
  const onThread = async <N extends string & keyof Reads>(
    source: string,
    signal: AbortSignal,
    name: N,
    ...parameters: FurtherParameters<N>
  ): Promise<Awaited<ReturnType<Reads[N]>> | undefined> => {
    signal.throwIfAborted();
    const found = await guarded(source, ({ file }) =>
      reader.run(name, ...([{ source, file: file.file }, ...parameters] as unknown as Parameters<Reads[N]>)),
    );
    signal.throwIfAborted();
    return found;
  };
  async function* keyedPages(
    source: string,
    { objects, later }: KeyedObjects,
  ): AsyncGenerator<readonly IndexedObject[]> {
    if (objects.length > 0) yield objects;
    for (let left = later; left.length > 0; ) {
      const part = await reading(source, (tables) => readByKey(tables, source, left as TypedKey[]));
      if (part === undefined) return;
      if (part.objects.length > 0) yield part.objects;
      left = part.later;
    }
  }
  const newestCopy = (source: string): IndexFile | undefined => {
    const than = inUse.get(source)?.file.number ?? 0;
    const newer = files.list().filter((file) => file.source === source && file.number > than);
    return newer.sort((one, other) => other.number - one.number)[0];
  };
  const removeOthers = (source: string, stored: readonly (IndexFile | undefined)[]) => {
    const names = new Set(stored.map((one) => one?.file));
    for (const file of files.list()) if (file.source === source && !names.has(file.file)) files.remove(file);
  };
  const stateInUse = (source: string) => guarded(source, ({ tables }) => readState(tables));

  async function beginRebuild(source: string, newest: FeedPosition, options: BeginOptions = {}): Promise<Rebuild> {
    if (rebuilding.has(source)) throw new ServiceError('conflict', `A rebuild of ${source} is already running`);
    rebuilding.add(source);
    try {
      const { file, state } = await openCopy(source, newest, options);
      return rebuildOf(file, state);
    } catch (error) {
      rebuilding.delete(source);
      throw error;
    }
  }

  /** The copy to fill: the interrupted one if it can be continued. */
  async function openCopy(source: string, newest: FeedPosition, { fresh, unfinished, back }: BeginOptions) {
    const used = inUse.get(source)?.file;
    const copy = newestCopy(source);
    const stored = copy && files.stateOf(copy);
    // Another one is the beginning of an interrupted first index.
    const isOpen = stored?.started !== undefined && stored.phase !== 'failed' && stored.phase !== 'finished';
    if (unfinished && !isOpen) throw new ServiceError('conflict', `The rebuild of ${source} has ended`);
    if (!fresh && isOpen && canContinue(stored, newest, back)) {
      removeOthers(source, [used, copy]);
      return { file: copy!, state: stored };
    }
    const file = files.next(source);
    removeOthers(source, [used]);
    const beginning = { source, id: newId(), phase: 'export', back: back ?? false } as const;
    await builder.run('create', file.file, { ...beginning, ...positionOf(newest), isRebuild: true });
    return { file, state: files.stateOf(file)! };
  }

  function rebuildOf(copy: IndexFile, state: FileState): Rebuild {
    const { file, source } = copy;
    const { id, position, exported, back } = state;
    let isIndexed = state.phase === 'changes';
    let isOpen = true;
    const end = async () => {
      isOpen = false;
      goOn(source);
      await builder.run('close', file);
      rebuilding.delete(source);
    };
    const ensureIndexes = async () => {
      if (!isIndexed) await builder.run('buildIndexes', file);
      isIndexed = true;
    };
    return {
      id,
      start: positionOf(position),
      exported,
      objects: state.objects,
      isFilled: state.phase !== 'export',
      fill: (documents, at) => builder.run('fill', file, documents, at),
      async apply(changes) {
        await ensureIndexes();
        if (changes.documents.length + changes.deletions.length > 0) await builder.run('applyToCopy', file, changes);
      },
      async finish(reached) {
        await ensureIndexes();
        const isSwitched = await inOrder(source, async () => {
          const current = await stateInUse(source);
          if (current !== undefined && current.position.serial > reached.serial && !back) {
            holdBatches(source);
            return false;
          }
          await builder.run('finish', file, positionOf(reached));
          const before = inUse.get(source)?.file;
          use(copy);
          if (before && writer.hasThreads()) await writer.run('close', before.file);
          removeOthers(source, [copy]);
          return true;
        });
        if (isSwitched) await end();
        return isSwitched;
      },
      async suspend(failure) {
        if (!isOpen) return;
        if (failure !== undefined) await builder.run('note', file, failure);
        await end();
      },
      async abandon(failure) {
        if (!isOpen) return;
        await end();
        files.remove(copy);
        if (failure === undefined) return;
        const failed = { source, id, phase: 'failed', back, isRebuild: true, failure } as const;
        await builder.run('create', file, { ...failed, ...positionOf(position) });
        await builder.run('close', file);
      },
    };
  }

  return {
    async start() {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const newestFirst = files.list().sort((one, other) => other.number - one.number);
      for (const file of newestFirst) {
        const state = files.stateOf(file);
        if (state?.phase !== 'finished') continue;
        if (inUse.has(file.source)) files.remove(file);
        else use(file);
      }
    },
    async stop() {
      await Promise.all([...last.values()]);
      await reader.close();
      for (const { tables } of inUse.values()) tables.close();
      inUse.clear();
      // The last connection of a file moves its log into it.
      for (const pool of [writer, builder]) {
        if (pool.hasThreads()) await pool.run('closeAll').catch(() => {});
        await pool.close();
      }
    },
    async check() {
      for (const source of inUse.keys()) await stateInUse(source);
      if (lost.size > 0) throw new Error(`Damaged and not built again yet: ${[...lost].join(', ')}`);
    },
    position: async (source) => (await stateInUse(source))?.position,
    async apply(source, batch) {
      await held.get(source)?.ended;
      await inOrder(source, async () => {
        if (!inUse.has(source)) {
          // An empty index would answer searches: rebuild a lost one from an export instead.
          if (batch.after > 0n) throw new ServiceError('conflict', `There is no index of ${source}`);
          const file = files.next(source);
          const empty = { source, id: newId(), phase: 'changes', back: false, serial: 0n } as const;
          await writer.run('create', file.file, { ...empty, isRebuild: false });
          await writer.run('buildIndexes', file.file);
          await writer.run('finish', file.file, { serial: 0n });
          use(file);
        }
        const isApplied = await guarded(source, ({ file }) => writer.run('apply', file.file, batch));
        if (!isApplied) throw new ServiceError('conflict', 'The batch starts after the position of the index');
      });
    },
    async query(source, queries, signal) {
      const read = (start: PageStart) => {
        signal.throwIfAborted();
        return reading(source, (tables) => readPage(tables, source, queries, start));
      };
      const readOnThread = (start: PageStart) => onThread(source, signal, 'readPage', queries, start);
      const beginning = beginningOf(queries);
      signal.throwIfAborted();
      const first = await reading(source, (tables) =>
        isLong(tables, queries) ? 'long' : readPage(tables, source, queries, beginning),
      );
      if (first !== 'long') return first && matches(first, read);
      const found = await readOnThread(beginning);
      return found && matches(found, readOnThread);
    },
    countByType: (source, queries, signal) => onThread(source, signal, 'countByType', queries),
    async searchWords(source, query, signal) {
      const found = await onThread(source, signal, 'searchWords', query);
      return found && { ...found, pages: keyedPages(source, found) };
    },
    async suggest(source, beginning, signal) {
      const found = await onThread(source, signal, 'suggest', beginning);
      return found && { serial: found.serial, pages: keyedPages(source, found) };
    },
    async searchNames(source, query, signal) {
      const found = await onThread(source, signal, 'searchNames', query);
      return found && { ...found, pages: keyedPages(source, found) };
    },
    countNames: (source, named, signal) => onThread(source, signal, 'countNames', named),
    spansInside: (source, query, signal) => onThread(source, signal, 'spansInside', query),
    holdings: (source, query, signal) => onThread(source, signal, 'holdings', query),
    nearestWith: async (source, type, _mntIrt, ranges) =>
      (await reading(source, (tables) => nearestWithIrts(tables, typeNumber(type), ranges))) ??
      ranges.map(() => undefined),
    async load(ids) {
      const [first] = ids;
      if (first === undefined) return { objects: [], later: [] };
      const { source } = first;
      const end = ids.findIndex((id) => id.source !== source);
      const requested = end === -1 ? ids : ids.slice(0, end);
      const part = await reading(source, (tables) => readByKey(tables, source, requested));
      const later = part === undefined ? [] : (part.later as readonly ObjectId[]);
      return { objects: part?.objects ?? [], later: [...later, ...ids.slice(requested.length)] };
    },
    async known(ids) {
      const known = new Set<string>();
      for (const [source, group] of Map.groupBy(ids, (id) => id.source)) {
        await reading(source, (tables) => {
          for (const id of group) if (isKnown(tables, id.type, id.key)) known.add(objectIdText(id));
        });
      }
      return ids.map((id) => known.has(objectIdText(id)));
    },
    beginRebuild,
    async rebuildState(source) {
      const copy = newestCopy(source);
      return rebuildStateOf(copy ? files.stateOf(copy) : await stateInUse(source));
    },
    count: async (source) => (await stateInUse(source))?.objects ?? 0n,
  };
}

function matches(first: QueryPage, read: (start: PageStart) => Promise<QueryPage | undefined>): Matches {
  async function* pages(): AsyncGenerator<readonly IndexedObject[]> {
    for (let page: QueryPage | undefined = first; page !== undefined; ) {
      if (page.objects.length > 0) yield page.objects;
      page = page.next && (await read(page.next));
    }
  }
  return { serial: first.serial, pages: pages() };
}

/** Whether a registry with this newest change may have the copy, which has a position to continue from. */
function canContinue({ phase, position, back, exported, objects }: FileState, newest: FeedPosition, wanted?: boolean) {
  const hasPlace = phase !== 'export' || exported !== undefined || objects === 0n;
  return hasPlace && mayHave(newest, position) && (wanted === undefined || wanted === back);
}

/** The identifier of a rebuild: a caller may ask another process, which must not mistake it for one of its own. */
function newId(): string {
  return String(randomInt(2 ** 47));
}

function positionOf({ serial, instant }: FeedPosition): FeedPosition {
  return { serial, instant };
}
