import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type CopyRows, createCopyRows } from './copy-format.js';

/** Sends rows to a `copy ... from stdin (format binary)` statement; `write` encodes one row. */
export async function copyRows<T>(
  client: pg.ClientBase,
  target: string,
  rows: Iterable<T>,
  write: (copy: CopyRows, row: T) => void,
): Promise<void> {
  const stream = client.query(copyFrom(`copy ${target} from stdin (format binary)`));
  const done = finished(stream);
  done.catch(() => {}); // awaited below
  const copy = createCopyRows();
  try {
    for (const row of rows) {
      write(copy, row);
      for (const piece of copy.takePieces()) {
        if (!stream.write(piece)) await Promise.race([once(stream, 'drain'), done]);
      }
    }
    for (const piece of copy.finish()) stream.write(piece);
    stream.end();
  } catch (error) {
    stream.destroy(error as Error);
    await done.catch(() => {});
    throw error;
  }
  await done;
}
