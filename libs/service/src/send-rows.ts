import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { copyHeader, copyTrailer } from './copy-rows.js';

/** Runs one `copy ... from stdin (format binary)`; `rows` are pieces of complete rows (`createCopyRows`). */
export async function sendRows(client: pg.ClientBase, target: string, rows: Iterable<Uint8Array>): Promise<void> {
  const stream = client.query(copyFrom(`copy ${target} from stdin (format binary)`));
  const done = finished(stream);
  done.catch(() => {}); // awaited below
  try {
    stream.write(copyHeader);
    for (const piece of rows) {
      if (!stream.write(piece)) await Promise.race([once(stream, 'drain'), done]);
    }
    stream.end(copyTrailer);
  } catch (error) {
    stream.destroy(error as Error);
    await done.catch(() => {});
    throw error;
  }
  await done;
}
