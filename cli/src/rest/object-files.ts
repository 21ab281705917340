import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { DumpSplitter, formatMessage, parseObject, type RpslObject } from '@cadastre/rpsl';
import { CommandFailure } from '../failure.js';
import type { Io } from '../io.js';

/** An object of a file. */
export interface FileObject {
  /** Its first line, for messages: `route: 192.0.2.0/24`. */
  readonly name: string;
  readonly object: RpslObject;
}

/**
 * Reads the objects of files in RPSL, with blank lines between them; `-` is standard input. Text that is not UTF-8 is
 * ISO 8859-1. Throws a CommandFailure for text that is no object, and without objects.
 */
export async function readObjectFiles(io: Io, files: readonly string[]): Promise<FileObject[]> {
  const objects: FileObject[] = [];
  for (const file of files) {
    const bytes = file === '-' ? await buffer(io.stdin) : await readFile(file);
    const splitter = new DumpSplitter();
    for (const { text, line } of [...splitter.push(decoded(bytes)), ...splitter.end()]) {
      const parsed = parseObject(text, { expandShortNames: true });
      if (!parsed.ok) throw new CommandFailure(`${file}:${line}: ${parsed.messages.map(formatMessage).join('; ')}`);
      objects.push({ name: text.slice(0, text.indexOf('\n')).replace(/:\s+/, ': ').trim(), object: parsed.object });
    }
  }
  if (objects.length === 0) throw new CommandFailure('No object to write');
  return objects;
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1');
  }
}

/** An object to write, as the REST interface takes it: each line of a value after the first is a continuation line. */
export function submitted({ attributes }: RpslObject) {
  const lines = (raw: string) => {
    const [first = '', ...others] = raw.split('\n');
    return [first, ...others.map((line) => line.slice(1))].map((line) => line.trim()).join('\n');
  };
  return { attributes: { attribute: attributes.map(({ name, raw }) => ({ name, value: lines(raw) })) } };
}
