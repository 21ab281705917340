import { mkdirSync } from 'node:fs';
import { createWorkerPool, type Logger, ServiceError } from '@cadastre/service';
import type { SearchIndex } from '../index-port.js';
import { createFilesInUse, indexFiles } from './index-files.js';
import { createIndexReads } from './index-reads.js';
import type * as readerThread from './reader-thread.js';
import { createRebuilds, createWriteOrder, newId } from './rebuilds.js';
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

/**
 * The index in files of this process: one SQLite file for each source. The event loop reads pages of queries itself, in
 * a fraction of a millisecond; threads write, and read what takes longer. A rebuild fills another file, which then
 * replaces the first: of the finished files of a source the newest is in use.
 */
export function createEmbeddedIndex({ directory, logger }: EmbeddedIndexOptions): SearchIndex {
  const files = indexFiles(directory, logger);
  const inUse = createFilesInUse(files);
  const order = createWriteOrder();
  // Batches do not wait for rebuilds.
  const writer = createWriterPool();
  const builder = createWriterPool();
  const reader = createWorkerPool<typeof readerThread>({
    tasks: new URL('./reader-thread.js', import.meta.url),
    threads: readers,
    maxWaiting: Number.POSITIVE_INFINITY,
    deadlineMs: readDeadlineMs,
  });
  const createEmpty = async (source: string) => {
    const file = files.next(source);
    const empty = { source, id: newId(), phase: 'changes', back: false, serial: 0n } as const;
    await writer.run('create', file.file, { ...empty, isRebuild: false });
    await writer.run('buildIndexes', file.file);
    await writer.run('finish', file.file, { serial: 0n });
    inUse.use(file);
  };
  return {
    async start() {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      const newestFirst = files.list().sort((one, other) => other.number - one.number);
      for (const file of newestFirst) {
        const state = files.stateOf(file);
        if (state?.phase !== 'finished') continue;
        if (inUse.has(file.source)) files.remove(file);
        else inUse.use(file);
      }
    },
    async stop() {
      await order.idle();
      await reader.close();
      inUse.close();
      // The last connection of a file moves its log into it.
      for (const pool of [writer, builder]) {
        if (pool.hasThreads()) await pool.run('closeAll').catch(() => {});
        await pool.close();
      }
    },
    async check() {
      for (const source of inUse.sources()) await inUse.state(source);
      const lost = inUse.lost();
      if (lost.length > 0) throw new Error(`Damaged and not built again yet: ${lost.join(', ')}`);
    },
    position: async (source) => (await inUse.state(source))?.position,
    count: async (source) => (await inUse.state(source))?.objects ?? 0n,
    async apply(source, batch) {
      await order.unheld(source);
      await order.run(source, async () => {
        if (!inUse.has(source)) {
          // An empty index would answer searches: rebuild a lost one from an export instead.
          if (batch.after > 0n) throw new ServiceError('conflict', `There is no index of ${source}`);
          await createEmpty(source);
        }
        const isApplied = await inUse.guarded(source, ({ file }) => writer.run('apply', file.file, batch));
        if (!isApplied) throw new ServiceError('conflict', 'The batch starts after the position of the index');
      });
    },
    ...createIndexReads(inUse, reader),
    ...createRebuilds({ files, inUse, order, writer, builder }),
  };
}

function createWriterPool() {
  return createWorkerPool<typeof writerThread>({
    tasks: new URL('./writer-thread.js', import.meta.url),
    threads: 1,
    maxWaiting: Number.POSITIVE_INFINITY,
    deadlineMs: writeDeadlineMs,
    maxMemoryMb: writerMemoryMb,
  });
}
