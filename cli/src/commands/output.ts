import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { syncFolder } from '@cadastre/service';
import type { Io } from '../io.js';
import { printable } from '../printable.js';

const bufferedBytes = 256 * 1024;

type Texts = AsyncIterable<string> | Iterable<string>;

/**
 * Writes texts to a file or standard output, as ISO 8859-1 or UTF-8, at the pace of the reader. A file gets its name
 * only when it is complete: until then, and after a failure, an existing file does not change. A terminal gets no
 * control characters.
 */
export async function writeTexts(
  io: Io,
  file: string | undefined,
  encoding: 'latin1' | 'utf8',
  texts: Texts,
  signal: AbortSignal,
): Promise<void> {
  if (file !== undefined) return writeFile(file, buffered(texts, encoding), signal);
  const shown = io.stdout.isTTY ? printable : (text: string) => text;
  for await (const chunk of buffered(texts, encoding, shown)) {
    signal.throwIfAborted();
    if (!io.stdout.write(chunk)) await once(io.stdout, 'drain', { signal });
  }
}

async function* buffered(
  texts: Texts,
  encoding: 'latin1' | 'utf8',
  shown = (text: string) => text,
): AsyncGenerator<Buffer> {
  let pending = '';
  for await (const text of texts) {
    pending += text;
    if (pending.length < bufferedBytes) continue;
    yield Buffer.from(shown(pending), encoding);
    pending = '';
  }
  yield Buffer.from(shown(pending), encoding);
}

/**
 * Writes to a temporary name in the same directory, then renames. Does not rename over something that is not a regular
 * file, such as a pipe.
 */
async function writeFile(file: string, chunks: AsyncIterable<Buffer>, signal: AbortSignal): Promise<void> {
  const existing = await stat(file).catch(() => undefined);
  if (existing !== undefined && !existing.isFile()) return pipeline(chunks, createWriteStream(file), { signal });
  // Preserves a symbolic link.
  const target = existing === undefined ? file : await realpath(file);
  const directory = dirname(target);
  const temporary = join(directory, `.${basename(target)}.${process.pid}.part`);
  const mode = existing === undefined ? {} : { mode: existing.mode & 0o777 };
  try {
    await pipeline(chunks, createWriteStream(temporary, { flush: true, ...mode }), { signal });
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(directory);
}
