import { createHash, randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type FileHeader, fileName, headerRecord, sequenceRecord } from '@cadastre/nrtm';
import { together } from '@cadastre/service';
import type { FileStore } from '../files/file-store.js';
import type { PublishedFile } from './state.js';

/** The random part of a name: RFC 10063 wants 64 bits. A notification of a day has some 1,440 names. */
const randomLength = 8;

/** A file of this name never changes. */
const headers = { contentType: 'application/gzip', cacheControl: 'public, max-age=604800, immutable' };

/** Stores a snapshot or a delta under a random name; holds a page of records at a time. */
export async function writeFile(
  store: FileStore,
  header: FileHeader,
  pages: AsyncIterable<readonly object[]>,
  signal: AbortSignal,
): Promise<PublishedFile> {
  const { kind, version, source } = header;
  const name = fileName({ ...header, random: randomBytes(randomLength).toString('hex') });
  const hash = createHash('sha256');
  const packed = createGzip();
  async function* texts() {
    yield sequenceRecord(headerRecord(header));
    for await (const records of pages) if (records.length > 0) yield records.map(sequenceRecord).join('');
  }
  async function* hashed() {
    for await (const chunk of packed as AsyncIterable<Buffer>) {
      hash.update(chunk);
      yield chunk;
    }
  }
  // The errors of the store come first: they also abort the pipeline. Those of the pipeline reach the store.
  const [{ bytes }] = await together(
    store.put(folderOf(source) + name, Readable.from(hashed(), { objectMode: false }), { ...headers, signal }),
    pipeline(Readable.from(texts()), packed, { signal }),
  );
  return { kind, version, name, hash: hash.digest('hex'), bytes };
}

/** The folder of a source in the store, and below the address of publications. */
export function folderOf(source: string): string {
  return `nrtmv4/${source}/`;
}
