import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Coding, Compressor } from './compress.js';

/** A small file in its recent state. */
export interface CachedFile {
  readonly bytes: Buffer;
  /** Its size and time: the opaque part of the weak tag that `@fastify/static` makes of the same file. */
  readonly tag: string;
  /** As in the header Last-Modified. */
  readonly modified: string;
  /** The bytes in a coding, which are made once. */
  coded(coding: Coding, compressor: Pick<Compressor, 'compress'>): Promise<Buffer>;
}

/** Reads a file below `directory` by its path there; undefined when it is large or unreadable. */
export type ReadCachedFile = (file: string) => Promise<CachedFile | undefined>;

/** Followers check once a minute. */
const cachedMs = 1_000;
/** Enough for a notification that lists a delta for each minute of a day. */
const maxBytes = 512 * 1024;
const maxBytesOfAll = 32 * maxBytes;

/**
 * Reads a file at most once in a second, for any number of requests: opening, reading and closing one costs ten times
 * as much as the rest of a request. Not for files that must have the same state as others.
 */
export function createCachedFiles(directory: string | undefined): ReadCachedFile {
  if (directory === undefined) return async () => undefined;
  const files = new LRUCache<string, CachedFile>({
    maxSize: maxBytesOfAll,
    sizeCalculation: ({ bytes }, file) => bytes.length + file.length + 1,
    ttl: cachedMs,
    perf: { now: () => performance.now() },
    fetchMethod: (file, stale) => readSmallFile(join(directory, file), stale),
  });
  return (file) => files.fetch(file);
}

/** Reads a file; `stale` is its state some time ago, which remains with its coded bytes if it is the same. */
async function readSmallFile(path: string, stale: CachedFile | undefined): Promise<CachedFile | undefined> {
  try {
    await using file = await open(path);
    const found = await file.stat();
    if (!found.isFile() || found.size > maxBytes) return undefined;
    const bytes = await file.readFile();
    const tag = `"${found.size.toString(16)}-${found.mtime.getTime().toString(16)}"`;
    if (stale?.tag === tag && stale.bytes.equals(bytes)) return stale;
    return { bytes, tag, modified: found.mtime.toUTCString(), coded: codedOnce(bytes) };
  } catch {
    return undefined;
  }
}

function codedOnce(bytes: Buffer): CachedFile['coded'] {
  const known = new Map<Coding, Promise<Buffer>>();
  return (coding, compressor) => {
    const coded = known.get(coding) ?? compressor.compress(bytes, coding);
    known.set(coding, coded);
    return coded;
  };
}
