import { availableParallelism } from 'node:os';
import { type DumpEntry, splitDump } from '@cadastre/rpsl';
import { createWorkerPool, type WorkerPool } from '@cadastre/service';
import { inOrder } from './in-order.js';
import type { DumpPart, ReadPart, ReadSettings, readPart } from './read-part.js';

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

/**
 * A part ends at the first of these limits. Small parts stay in the young generation of the garbage collector: parts of
 * 10,000 objects need 50 % more CPU.
 */
const maxObjects = 2_000;
const maxCharacters = 2_000_000;

/** The parts of a dump: small enough for memory, for a message to a thread and for one transaction. */
export async function* dumpParts(text: AsyncIterable<string>, firstLine: number): AsyncGenerator<DumpPart> {
  let part: DumpEntry[] = [];
  let characters = 0;
  for await (const entry of splitDump(text, { firstLine })) {
    part.push(entry);
    characters += entry.text.length;
    if (part.length >= maxObjects || characters >= maxCharacters) {
      yield part;
      part = [];
      characters = 0;
    }
  }
  if (part.length > 0) yield part;
}

/**
 * Reads the first items, up to `bytes` together, and returns whether there are as many. `all` yields these and the
 * others; when the items fail, it yields those before and then fails.
 */
export async function firstBytes<T>(
  items: AsyncGenerator<T>,
  bytes: number,
  sizeOf: (item: T) => number,
): Promise<{ readonly isLarge: boolean; readonly all: AsyncGenerator<T> }> {
  const first: T[] = [];
  let size = 0;
  let failure: { readonly error: unknown } | undefined;
  try {
    while (size < bytes) {
      const next = await items.next();
      if (next.done) break;
      first.push(next.value);
      size += sizeOf(next.value);
    }
  } catch (error) {
    failure = { error };
  }
  const all = (async function* () {
    yield* first.splice(0);
    if (failure !== undefined) throw failure.error;
    yield* items;
  })();
  return { isLarge: size >= bytes, all };
}
