import { SequenceFault, unpack } from '@cadastre/nrtm';
import { type Downloaded, downloadFile, fetchText, type Reach } from '../download.js';
import { type Applied, type LoadOptions, type Mirrored, MirrorFault } from '../origin.js';

/** Where the whole content of a source is. */
export interface DumpFiles {
  /** Its files, each possibly gzipped. */
  readonly dumps: readonly URL[];
  /** The file with the serial of the dump. */
  readonly serial: URL;
  readonly encoding: LoadOptions['encoding'];
  readonly reach: Reach;
}

/** Longest files as served. */
const maxDumpBytes = 4 * 2 ** 30;
const maxSerialBytes = 1_000;

/** The serial of the dump that is there now. Errors: MirrorFault. */
export async function readDumpSerial({ serial, reach }: DumpFiles, signal: AbortSignal): Promise<number> {
  const fetched = await fetchText(serial, reach, { maxBytes: maxSerialBytes, signal });
  const text = fetched.isNew ? fetched.text.trim() : '';
  if (!/^\d{1,15}$/.test(text)) throw new MirrorFault('refused', `${serial.href} has no serial`);
  return Number(text);
}

/**
 * Replaces the content of the copy by the dump with a serial. The serial is read again after the dump: a dump that was
 * replaced meanwhile belongs to another one. Errors: MirrorFault.
 */
export async function loadDump(
  files: DumpFiles,
  originSource: string,
  serial: number,
  { writer, signal }: Mirrored,
): Promise<Applied> {
  const downloaded: Downloaded[] = [];
  try {
    for (const url of files.dumps) {
      downloaded.push(await downloadFile(url, files.reach, { maxBytes: maxDumpBytes, signal }));
    }
    if ((await readDumpSerial(files, signal)) !== serial) {
      throw new MirrorFault('transient', 'The dump was replaced while it was read');
    }
    return await writer.load(() => textOf(downloaded), { originSource, encoding: files.encoding, signal });
  } finally {
    for (const file of downloaded) await file.close();
  }
}

const objectsApart = Buffer.from('\n\n');

async function* textOf(files: readonly Downloaded[]): AsyncGenerator<Uint8Array> {
  for (const file of files) {
    try {
      yield* unpackedIfPacked(file.open());
    } catch (error) {
      throw error instanceof SequenceFault ? new MirrorFault('refused', `A dump: ${error.message}`) : error;
    }
    yield objectsApart;
  }
}

/** A file shows by its first bytes that it is gzipped. */
async function* unpackedIfPacked(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const chunks = bytes[Symbol.asyncIterator]();
  const { value: first } = await chunks.next();
  if (first === undefined) return;
  const all = startingWith(first, { [Symbol.asyncIterator]: () => chunks });
  yield* first[0] === 0x1f && first[1] === 0x8b ? unpack(all) : all;
}

async function* startingWith(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  yield first;
  yield* rest;
}
