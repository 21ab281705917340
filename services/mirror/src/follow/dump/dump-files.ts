import { SequenceFault, unpack } from '@cadastre/nrtm';
import { startingWith } from '@cadastre/service';
import { type Classes, objectsOfClasses } from '../classes.js';
import { type Downloaded, fetchText } from '../download.js';
import { MirrorFault } from '../origin.js';
import type { Reach } from '../reach.js';

/** Maximum size of the files of a dump together, as downloaded: they are on the disk until they are loaded. */
export const maxDumpBytes = 4 * 2 ** 30;

/** How many bytes the next file of a dump may have. */
export function bytesLeft(files: readonly (Pick<Downloaded, 'bytes'> | undefined)[], maxBytes = maxDumpBytes): number {
  return files.reduce((left, file) => left - (file?.bytes ?? 0), maxBytes);
}
const maxSerialBytes = 1_000;

/** The number in the file that identifies the current dump. Errors: MirrorFault. */
export async function readSerialFile(url: URL, reach: Reach, signal: AbortSignal): Promise<number> {
  const fetched = await fetchText(url, reach, { maxBytes: maxSerialBytes, signal });
  const text = fetched.isNew ? fetched.text.trim() : '';
  if (!/^\d{1,15}$/.test(text)) throw new MirrorFault('refused', `${url.href} has no serial`);
  return Number(text);
}

const objectsApart = Buffer.from('\n\n');

/**
 * The objects of these classes of a dump of several files, each possibly gzipped. Errors: MirrorFault `refused` for a
 * file that cannot be unpacked, or is too large unpacked.
 */
export function textOfDump(files: readonly Pick<Downloaded, 'open'>[], classes: Classes): AsyncGenerator<Uint8Array> {
  return objectsOfClasses(textOfFiles(files), classes);
}

async function* textOfFiles(files: readonly Pick<Downloaded, 'open'>[]): AsyncGenerator<Uint8Array> {
  for (const file of files) {
    try {
      yield* unpackedIfPacked(file.open());
    } catch (error) {
      throw error instanceof SequenceFault ? new MirrorFault('refused', `A dump: ${error.message}`) : error;
    }
    yield objectsApart;
  }
}

/** Recognises a gzipped file by its first bytes. */
async function* unpackedIfPacked(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = bytes[Symbol.asyncIterator]();
  const { value: first } = await chunks.next();
  if (first === undefined) return;
  const all = startingWith(first, { [Symbol.asyncIterator]: () => chunks });
  yield* first[0] === 0x1f && first[1] === 0x8b ? unpack(all) : all;
}
