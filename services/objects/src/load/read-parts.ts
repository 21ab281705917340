import { availableParallelism } from 'node:os';
import { createWorkerPool, type WorkerPool } from '@cadastre/service';
import type { DumpPart } from './dump-parts.js';
import { inOrder } from './in-order.js';
import type { ReadPart, ReadSettings, readPart } from './read-part.js';

/** The threads that read dumps, shared by all loads. */
export type LoadReaders = WorkerPool<{ readPart: typeof readPart }>;

const threads = Math.min(4, availableParallelism());
/** Each load works on one part more than there are threads, so that a thread that finishes has the next one. */
export const partsInWork = threads + 1;
/** The costliest part takes a few seconds. */
const deadlineMs = 60_000;
/** A part has at most 7 million characters; the attributes of a hostile one need some 200 bytes each. */
const maxMemoryMb = 1024;

/** Makes the threads; they start with the first load. */
export function createLoadReaders(): LoadReaders {
  const tasks = new URL('./read-part.js', import.meta.url);
  return createWorkerPool({ tasks, threads, maxWaiting: Number.POSITIVE_INFINITY, deadlineMs, maxMemoryMb });
}

/** Reads the parts of a dump on the threads, several concurrently; the results are in the order of the parts. */
export function readParts(
  parts: AsyncIterable<DumpPart>,
  readers: LoadReaders,
  settings: ReadSettings,
): AsyncGenerator<ReadPart> {
  return inOrder(parts, partsInWork, (part) => readers.run('readPart', part, settings));
}
