import { randomInt } from 'node:crypto';
import type { FeedPosition } from '@cadastre/changes';
import { ServiceError, type WorkerPool } from '@cadastre/service';
import { type BeginOptions, mayHave, type Rebuild, type SearchIndex } from '../index-port.js';
import type { FilesInUse, IndexFile, IndexFiles } from './index-files.js';
import { type FileState, rebuildStateOf } from './state.js';
import type * as writerThread from './writer-thread.js';

export interface RebuildsOptions {
  readonly files: IndexFiles;
  readonly inUse: FilesInUse;
  readonly order: WriteOrder;
  /** Writes the indexes in use. */
  readonly writer: WorkerPool<typeof writerThread>;
  /** Writes copies. */
  readonly builder: WorkerPool<typeof writerThread>;
}

/** Fills copies of indexes, one of each source at a time, which then replace the indexes in use. */
export function createRebuilds(o: RebuildsOptions): Pick<SearchIndex, 'beginRebuild' | 'rebuildState'> {
  const rebuilding = new Set<string>();
  return {
    async beginRebuild(source, newest, options = {}) {
      if (rebuilding.has(source)) throw new ServiceError('conflict', `A rebuild of ${source} is already running`);
      rebuilding.add(source);
      try {
        // It removes other files: the first batch of a source must not be making one of them.
        const { file, state } = await o.order.run(source, () => openCopy(o, source, newest, options));
        return rebuildOf(o, file, state, () => rebuilding.delete(source));
      } catch (error) {
        rebuilding.delete(source);
        throw error;
      }
    },
    async rebuildState(source) {
      const copy = newestCopy(o, source);
      return rebuildStateOf(copy ? o.files.stateOf(copy) : await o.inUse.state(source));
    },
  };
}

function newestCopy({ files, inUse }: RebuildsOptions, source: string): IndexFile | undefined {
  const than = inUse.file(source)?.number ?? 0;
  const newer = files.list().filter((file) => file.source === source && file.number > than);
  return newer.sort((one, other) => other.number - one.number)[0];
}

function removeOthers(files: IndexFiles, source: string, stored: readonly (IndexFile | undefined)[]): void {
  const names = new Set(stored.map((one) => one?.file));
  for (const file of files.list()) if (file.source === source && !names.has(file.file)) files.remove(file);
}

/** The copy to fill: the interrupted one if it can be continued. */
async function openCopy(
  o: RebuildsOptions,
  source: string,
  newest: FeedPosition,
  { fresh, unfinished, back }: BeginOptions,
): Promise<{ file: IndexFile; state: FileState }> {
  const { files, inUse, builder } = o;
  const used = inUse.file(source);
  const copy = newestCopy(o, source);
  const stored = copy && files.stateOf(copy);
  // Another one is the beginning of an interrupted first index.
  const isOpen = stored?.started !== undefined && stored.phase !== 'failed' && stored.phase !== 'finished';
  if (unfinished && !isOpen) throw new ServiceError('conflict', `The rebuild of ${source} has ended`);
  if (!fresh && isOpen && canContinue(stored, newest, back)) {
    removeOthers(files, source, [used, copy]);
    return { file: copy!, state: stored };
  }
  const file = files.next(source);
  removeOthers(files, source, [used]);
  const beginning = { source, id: newId(), phase: 'export', back: back ?? false } as const;
  await builder.run('create', file.file, { ...beginning, ...positionOf(newest), isRebuild: true });
  return { file, state: files.stateOf(file)! };
}

function rebuildOf(o: RebuildsOptions, copy: IndexFile, state: FileState, onEnd: () => void): Rebuild {
  const { files, inUse, order, builder } = o;
  const { file, source } = copy;
  const { id, position, exported, back } = state;
  let isIndexed = state.phase === 'changes';
  let isOpen = true;
  const end = async () => {
    isOpen = false;
    order.release(source);
    await builder.run('close', file);
    onEnd();
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
      const isSwitched = await order.run(source, async () => {
        const current = await inUse.state(source);
        if (current !== undefined && current.position.serial > reached.serial && !back) {
          order.hold(source);
          return false;
        }
        await switchTo(o, copy, reached);
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

/** Lets queries see a copy instead of the index in use. */
async function switchTo(
  { files, inUse, writer, builder }: RebuildsOptions,
  copy: IndexFile,
  reached: FeedPosition,
): Promise<void> {
  await builder.run('finish', copy.file, positionOf(reached));
  const before = inUse.file(copy.source);
  inUse.use(copy);
  if (before && writer.hasThreads()) await writer.run('close', before.file);
  removeOthers(files, copy.source, [copy]);
}

/** Whether a registry with this newest change may have the copy, which has a position to continue from. */
function canContinue({ phase, position, back, exported, objects }: FileState, newest: FeedPosition, wanted?: boolean) {
  const hasPosition = phase !== 'export' || exported !== undefined || objects === 0n;
  return hasPosition && mayHave(newest, position) && (wanted === undefined || wanted === back);
}

/** The identifier of a rebuild: a caller may ask another process, which must not mistake it for one of its own. */
export function newId(): string {
  return String(randomInt(2 ** 47));
}

function positionOf({ serial, instant }: FeedPosition): FeedPosition {
  return { serial, instant };
}

/** When a copy is still this far behind after its wait, it no longer delays the changes of the index in use. */
const maxHoldMs = 2_000;

type WriteOrder = ReturnType<typeof createWriteOrder>;

/** Lets batches and switches of the index of a source come one after the other. */
export function createWriteOrder() {
  const last = new Map<string, Promise<unknown>>();
  const held = new Map<string, { readonly ended: Promise<void>; end(): void }>();
  const release = (source: string) => {
    held.get(source)?.end();
    held.delete(source);
  };
  return {
    /** Runs the work when the earlier work of the source has ended. */
    run<T>(source: string, work: () => Promise<T>): Promise<T> {
      const result = (last.get(source) ?? Promise.resolve()).then(work);
      last.set(
        source,
        result.catch(() => {}),
      );
      return result;
    },
    /** Holds the batches of a source: its copy is slightly behind, and would never catch up under constant writes. */
    hold(source: string): void {
      if (held.has(source)) return;
      const { promise: ended, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(() => release(source), maxHoldMs).unref();
      held.set(source, {
        ended,
        end() {
          clearTimeout(timer);
          resolve();
        },
      });
    },
    release,
    /** Waits while the batches of a source are held. */
    unheld: (source: string) => held.get(source)?.ended,
    /** Waits until all work has ended. */
    async idle(): Promise<void> {
      await Promise.all([...last.values()]);
    },
  };
}
