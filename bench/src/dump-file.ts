import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { generateRegistry, type RegistryOptions } from '@cadastre/synthetic';
import { type Progress, startProgress } from './progress.ts';

const pieceLength = 256 * 1024;

/** Writes the registry and further objects as a dump: objects with empty lines between them, in ISO 8859-1. */
export async function writeDump(
  file: string,
  options: RegistryOptions,
  further: Iterable<string>,
  say: (line: string) => void,
): Promise<void> {
  say(`Generating ${options.objects} objects`);
  const progress = startProgress(say, 'Generating', options.objects);
  await pipeline(Readable.from(pieces(registryAnd(options, further), progress)), createWriteStream(file));
}

/** Writes objects as a dump. */
export async function writeObjects(file: string, texts: Iterable<string>): Promise<void> {
  await pipeline(Readable.from(pieces(texts, () => {})), createWriteStream(file));
}

function* pieces(texts: Iterable<string>, progress: Progress): Generator<Buffer> {
  let piece = '';
  let objects = 0;
  for (const text of texts) {
    piece += `${text}\n`;
    objects += 1;
    if (piece.length > pieceLength) {
      yield Buffer.from(piece, 'latin1');
      piece = '';
      progress(objects);
    }
  }
  yield Buffer.from(piece, 'latin1');
}

function* registryAnd(options: RegistryOptions, further: Iterable<string>): Generator<string> {
  yield* generateRegistry(options);
  yield* further;
}
