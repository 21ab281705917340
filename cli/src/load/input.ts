import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { startingWith } from '@cadastre/service';
import { CommandFailure } from '../failure.js';
import { countLineEnds, keepText } from './buffered-text.js';

const separator = Buffer.from('\n\n');

/**
 * Maximum bytes of standard input to store for a break. That is more than a service processes at a time when it stores
 * as it reads.
 */
const bufferBytes = 64 * 1024 * 1024;

/** Several dumps, read in order as one text. */
export interface Input {
  /**
   * The text from a line on, decompressed; lines count from 1. Replaces an earlier reader. Fails when a file has
   * changed since.
   */
  from(line: number): Promise<AsyncIterable<Buffer>>;
  /** Whether the text from a line on can be read: that of files, and the newest part of standard input. */
  has(line: number): boolean;
  /** The text before this line will not be needed again. */
  forget(line: number): void;
  /** Size of all files on disk in bytes; `undefined` when standard input is among them. */
  totalBytes: number | undefined;
  /** Bytes of the files that hold the text up to a line; lines must ascend. */
  bytesUpTo(line: number): number;
  /** The file and line of a line of the joined text, both counted from 1. */
  locate(line: number): { file: string; line: number };
}

/** Opens files, plain or gzip; "-" is standard input. Fails immediately when one does not exist. */
export async function openInput(files: string[], stdin: AsyncIterable<Buffer>): Promise<Input> {
  const found = await Promise.all(files.map(statOf));
  const sizes = found.map((one) => (one?.isFile() ? one.size : undefined));
  const canReadAgain = !sizes.includes(undefined);
  const starts: { file: string; firstLine: number }[] = [];
  /** The end of each piece that was read and that `bytesUpTo` has not passed: the next line, and the bytes so far. */
  const ends: { line: number; bytes: number }[] = [];
  let bytesRead = 0;
  let bytesPassed = 0;

  async function* count(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      bytesRead += chunk.length;
      yield chunk;
    }
  }

  async function* join(): AsyncGenerator<Buffer> {
    let line = 1;
    bytesRead = 0;
    for (const [index, file] of files.entries()) {
      starts[index] = { file, firstLine: line };
      const source = file === '-' ? stdin : createReadStream(file, { highWaterMark: 256 * 1024 });
      for await (const chunk of decompress(count(source), file)) {
        line += countLineEnds(chunk);
        ends.push({ line, bytes: bytesRead });
        yield chunk;
      }
      if (files.length > 1) {
        line += 2;
        yield separator;
      }
    }
  }

  let pieces = join();
  let buffered = keepText(pieces, canReadAgain ? 0 : bufferBytes);

  async function from(line: number): Promise<AsyncIterable<Buffer>> {
    if (buffered.has(line)) return buffered.from(line);
    const now = await Promise.all(files.map(statOf));
    const changed = files.find((_, index) => !isSame(found[index], now[index]));
    if (changed !== undefined) throw new CommandFailure(`${changed} has changed since the load began. Load it again`);
    ends.length = 0;
    void pieces.return(undefined);
    pieces = join();
    buffered = keepText(pieces, 0);
    return buffered.from(line);
  }

  return {
    from,
    has: (line) => canReadAgain || buffered.has(line),
    forget: (line) => buffered.forget(line),
    totalBytes: canReadAgain ? sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0) : undefined,
    bytesUpTo: (line) => {
      const first = ends.findIndex((end) => end.line > line);
      const passed = ends.splice(0, first === -1 ? ends.length : first);
      bytesPassed = passed.at(-1)?.bytes ?? bytesPassed;
      return bytesPassed;
    },
    locate: (line) => {
      const start = starts.findLast(({ firstLine }) => firstLine <= line) ?? { file: files[0] ?? '-', firstLine: 1 };
      return { file: start.file, line: line - start.firstLine + 1 };
    },
  };
}

/** Undefined for standard input. */
async function statOf(file: string): Promise<Stats | undefined> {
  if (file === '-') return undefined;
  const found = await stat(file);
  if (found.isDirectory()) throw new CommandFailure(`${file}: is a directory`);
  return found;
}

function isSame(one: Stats | undefined, other: Stats | undefined): boolean {
  return one?.ino === other?.ino && one?.size === other?.size && one?.mtimeMs === other?.mtimeMs;
}

/** Decompresses a source that starts like gzip. Fails for one that starts like another kind of compressed file. */
async function* decompress(source: AsyncGenerator<Buffer>, file: string): AsyncGenerator<Buffer> {
  const first = await source.next();
  if (first.done) return;
  const whole = startingWith(first.value, source);
  const other = otherCompression(first.value);
  if (other !== undefined) throw new CommandFailure(`${file}: is compressed by ${other}; decompress it first`);
  if (!isGzip(first.value)) {
    yield* whole;
    return;
  }
  try {
    yield* gunzip(whole);
  } catch (error) {
    throw new CommandFailure(`${file}: is not a complete gzip file (${(error as Error).message})`);
  }
}

const otherCompressions: Readonly<Record<string, Buffer>> = {
  xz: Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a]),
  bzip2: Buffer.from('BZh'),
  zstd: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]),
  zip: Buffer.from('PK\x03\x04'),
};

function otherCompression(chunk: Buffer): string | undefined {
  return Object.keys(otherCompressions).find((name) => {
    const mark = otherCompressions[name]!;
    return chunk.subarray(0, mark.length).equals(mark);
  });
}

function isGzip(chunk: Buffer): boolean {
  return chunk[0] === 0x1f && (chunk.length === 1 || chunk[1] === 0x8b);
}

async function* gunzip(source: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const unzipped = createGunzip();
  // A failure destroys the stream; the loop below throws it.
  pipeline(source, unzipped).catch(() => undefined);
  for await (const chunk of unzipped) yield chunk as Buffer;
}
