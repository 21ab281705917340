import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { CommandFailure } from '../failure.js';

const separator = Buffer.from('\n\n');
const lineEnd = 0x0a;

/** Several dumps, read in order as one text. */
export interface Input {
  /** The text, decompressed. */
  chunks: AsyncIterable<Buffer>;
  /** Size of all files on disk in bytes; `undefined` when standard input is among them. */
  totalBytes: number | undefined;
  /** Bytes of the files that hold the text up to a line; lines must ascend. */
  bytesUpTo(line: number): number;
  /** The file and line of a line of the joined text, both counted from 1. */
  locate(line: number): { file: string; line: number };
}

/** Opens files, plain or gzip; "-" is standard input. Fails at once when one does not exist. */
export async function openInput(files: string[], stdin: AsyncIterable<Buffer>): Promise<Input> {
  const sizes = await Promise.all(files.map(sizeOf));
  const starts: { file: string; firstLine: number }[] = [];
  /** Where each piece ends that was read and that `bytesUpTo` has not passed: the next line, and the bytes so far. */
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
    for (const file of files) {
      starts.push({ file, firstLine: line });
      const source = file === '-' ? stdin : createReadStream(file, { highWaterMark: 256 * 1024 });
      for await (const chunk of decompress(count(source), file)) {
        line += countLines(chunk);
        ends.push({ line, bytes: bytesRead });
        yield chunk;
      }
      if (files.length > 1) {
        line += 2;
        yield separator;
      }
    }
  }

  return {
    chunks: join(),
    totalBytes: sizes.includes(undefined) ? undefined : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0),
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

async function sizeOf(file: string): Promise<number | undefined> {
  if (file === '-') return undefined;
  const found = await stat(file);
  if (found.isDirectory()) throw new CommandFailure(`${file}: is a directory`);
  return found.isFile() ? found.size : undefined;
}

function countLines(chunk: Buffer): number {
  let lines = 0;
  for (let at = chunk.indexOf(lineEnd); at !== -1; at = chunk.indexOf(lineEnd, at + 1)) lines += 1;
  return lines;
}

/** Decompresses a source that starts like gzip. */
async function* decompress(source: AsyncGenerator<Buffer>, file: string): AsyncGenerator<Buffer> {
  const first = await source.next();
  if (first.done) return;
  const whole = startingWith(first.value, source);
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

function isGzip(chunk: Buffer): boolean {
  return chunk[0] === 0x1f && (chunk.length === 1 || chunk[1] === 0x8b);
}

async function* startingWith(first: Buffer, rest: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  yield first;
  yield* rest;
}

async function* gunzip(source: AsyncGenerator<Buffer>): AsyncGenerator<Buffer> {
  const unzipped = createGunzip();
  // A failure destroys the stream; the loop below throws it.
  pipeline(source, unzipped).catch(() => undefined);
  for await (const chunk of unzipped) yield chunk as Buffer;
}
