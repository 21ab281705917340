import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Io } from '../io.js';
import { printable } from '../printable.js';

const bufferedBytes = 256 * 1024;

/**
 * Writes texts to a file or standard output, as ISO 8859-1 or UTF-8, at the pace of the reader. A terminal gets no
 * control characters.
 */
export async function writeTexts(
  io: Io,
  file: string | undefined,
  encoding: 'latin1' | 'utf8',
  texts: AsyncIterable<string> | Iterable<string>,
): Promise<void> {
  const out = file === undefined ? io.stdout : createWriteStream(file);
  if (file !== undefined) await once(out, 'open');
  const shown = out === io.stdout && io.stdout.isTTY ? printable : (text: string) => text;
  const write = async (text: string): Promise<void> => {
    if (!out.write(Buffer.from(shown(text), encoding))) await once(out, 'drain');
  };
  let pending = '';
  for await (const text of texts) {
    pending += text;
    if (pending.length < bufferedBytes) continue;
    await write(pending);
    pending = '';
  }
  await write(pending);
  if (file === undefined) return;
  out.end();
  await once(out, 'close');
}
