import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { generateRegistry, type RegistryOptions } from '@cadastre/synthetic';

const pieceLength = 256 * 1024;

/** Writes the registry as a dump: objects with empty lines between them, in ISO 8859-1. */
export async function writeDump(file: string, options: RegistryOptions): Promise<void> {
  await pipeline(Readable.from(pieces(options)), createWriteStream(file));
}

function* pieces(options: RegistryOptions): Generator<Buffer> {
  let piece = '';
  for (const text of generateRegistry(options)) {
    piece += `${text}\n`;
    if (piece.length > pieceLength) {
      yield Buffer.from(piece, 'latin1');
      piece = '';
    }
  }
  yield Buffer.from(piece, 'latin1');
}
