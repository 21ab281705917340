import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

const separator = 0x1e;
const lineFeed = 0x0a;

/** One record of a JSON text sequence (RFC 7464). Omits `undefined` members, which JSON cannot represent. */
export function sequenceRecord(value: object): string {
  return `\u001e${JSON.stringify(value)}\n`;
}

/** Bounds on the cost of reading a file. */
export interface SequenceBounds {
  /** Maximum length of a record in bytes. Default 16 MiB, three times the largest object that a load accepts. */
  readonly maxRecord?: number;
  /** Maximum length of an unpacked file in bytes. Default 64 GiB. */
  readonly maxUnpacked?: number;
}

const defaultBounds: Required<SequenceBounds> = { maxRecord: 16 << 20, maxUnpacked: 2 ** 36 };

/** A file that unpacks to more times its length is a bomb, unless it is short; texts reach 20. */
const bombRatio = 100;
const freeBytes = 16 << 20;

/** A file that is not a sequence, or exceeds its bounds. The message is a sentence without a full stop. */
export class SequenceFault extends Error {
  override readonly name = 'SequenceFault';
}

/**
 * Yields the parsed records of a JSON text sequence that arrives in chunks, several at a time; holds one record and one
 * chunk. Errors: SequenceFault, and those of `chunks`.
 */
export async function* readSequence(
  chunks: AsyncIterable<Uint8Array>,
  bounds: SequenceBounds = {},
): AsyncGenerator<unknown[]> {
  const { maxRecord, maxUnpacked } = { ...defaultBounds, ...bounds };
  let held: Buffer[] = [];
  let heldBytes = 0;
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > maxUnpacked) throw new SequenceFault(`The file is longer than ${maxUnpacked} bytes`);
    const buffer = asBuffer(chunk);
    const last = buffer.lastIndexOf(separator);
    if (last > 0 || (last === 0 && heldBytes > 0)) {
      yield recordsOf(Buffer.concat([...held, buffer.subarray(0, last)]), maxRecord);
      held = [];
      heldBytes = 0;
    }
    const rest = last < 0 ? buffer : buffer.subarray(last);
    heldBytes += rest.length;
    if (heldBytes > maxRecord) throw tooLong(maxRecord);
    held.push(rest);
  }
  if (heldBytes > 0) yield recordsOf(Buffer.concat(held), maxRecord);
}

function asBuffer(chunk: Uint8Array): Buffer {
  return Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
}

/** Reads whole records: from a separator to the end of a record. */
function recordsOf(bytes: Buffer, maxRecord: number): unknown[] {
  if (bytes[0] !== separator) throw new SequenceFault('A record does not begin with the byte 0x1E');
  if (bytes.at(-1) !== lineFeed) throw new SequenceFault('A record does not end with a line feed; it may be cut off');
  if (!isUtf8(bytes)) throw new SequenceFault('A record is not UTF-8');
  return bytes
    .toString('utf8', 1)
    .split('\u001e')
    .map((text) => recordOf(text, maxRecord));
}

function recordOf(text: string, maxRecord: number): unknown {
  if (text.length > maxRecord) throw tooLong(maxRecord);
  if (!text.endsWith('\n')) throw new SequenceFault('A record does not end with a line feed; it may be cut off');
  try {
    return JSON.parse(text);
  } catch {
    throw new SequenceFault('A record is no JSON text');
  }
}

function tooLong(maxRecord: number): SequenceFault {
  return new SequenceFault(`A record is longer than ${maxRecord} bytes`);
}

/** The unpacked bytes of a gzipped file. Errors: SequenceFault, and those of `chunks`. */
export async function* unpack(
  chunks: AsyncIterable<Uint8Array>,
  bounds: SequenceBounds = {},
): AsyncGenerator<Uint8Array> {
  const { maxUnpacked } = { ...defaultBounds, ...bounds };
  const gunzip = createGunzip({ chunkSize: 64 << 10 });
  const fed = pipeline(Readable.from(chunks), gunzip);
  // The loop below throws this error.
  fed.catch(() => {});
  let bytes = 0;
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxUnpacked) throw new SequenceFault(`The file unpacks to more than ${maxUnpacked} bytes`);
      if (bytes > freeBytes && bytes > bombRatio * gunzip.bytesWritten) {
        throw new SequenceFault(`The file unpacks to more than ${bombRatio} times its length`);
      }
      yield chunk;
    }
  } catch (error) {
    throw isZlibError(error) ? new SequenceFault(`The file cannot be unpacked: ${error.message}`) : error;
  } finally {
    gunzip.destroy();
  }
}

function isZlibError(error: unknown): error is Error {
  return error instanceof Error && /^Z_/.test(String((error as NodeJS.ErrnoException).code));
}
