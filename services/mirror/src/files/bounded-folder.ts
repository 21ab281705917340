import { Readable } from 'node:stream';
import type { FileStore } from './file-store.js';

/** A file does not fit: its folder would exceed its maximum size. */
export class FolderFull extends Error {
  override readonly name = 'FolderFull';

  constructor(folder: string, maxBytes: number) {
    super(`${folder} is full: its maximum is ${maxBytes} bytes (CADASTRE_MIRROR_SOURCE_BYTES)`);
  }
}

/**
 * A store that refuses (`FolderFull`) a file of this folder as soon as the folder has more than `maxBytes` with it,
 * also counting the remains of unfinished calls. A call does not count the files of concurrent others, except those of
 * its `replaceFolder`.
 */
export function boundedFolder(store: FileStore, folder: string, maxBytes: number): FileStore {
  /** Counts from the current size of the folder. Throws a FolderFull. */
  async function counter(): Promise<(bytes: number) => void> {
    let total = 0;
    for await (const file of store.list(folder)) total += file.bytes;
    return (bytes) => {
      total += bytes;
      if (total > maxBytes) throw new FolderFull(folder, maxBytes);
    };
  }
  const { replaceFolder } = store;
  return {
    ...store,
    put: async (...given) => counting(store.put, await counter())(...given),
    ...(replaceFolder && {
      async replaceFolder(replaced, write) {
        const count = await counter();
        return replaceFolder(replaced, (put) => write(counting(put, count)));
      },
    }),
  };
}

/** `put` that counts the bytes while it reads them. */
function counting(put: FileStore['put'], count: (bytes: number) => void): FileStore['put'] {
  return async (name, content, options) => {
    if (!Buffer.isBuffer(content)) {
      return put(name, Readable.from(counted(content, count), { objectMode: false }), options);
    }
    count(content.length);
    return put(name, content, options);
  };
}

async function* counted(content: Readable, count: (bytes: number) => void): AsyncGenerator<Buffer> {
  for await (const chunk of content as AsyncIterable<Buffer>) {
    count(chunk.length);
    yield chunk;
  }
}
