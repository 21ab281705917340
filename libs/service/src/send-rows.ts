import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { copyHeader, copyTrailer } from './copy-rows.js';

/** Rows on their way into one table; until `end`, nothing else can run on the connection. */
export type RowStream = ReturnType<typeof openRowStream>;

/**
 * Begins one `copy ... from stdin (format binary)`. PostgreSQL grows a table by up to 512 KiB at a time, and leaves the
 * unused rest empty: send many rows by one COPY.
 */
export function openRowStream(client: pg.ClientBase, target: string) {
  const stream = client.query(copyFrom(`copy ${target} from stdin (format binary)`));
  const done = finished(stream);
  done.catch(() => {}); // awaited below
  stream.write(copyHeader);
  const abandon = async (reason: Error) => {
    stream.destroy(reason);
    await done.catch(() => {});
  };
  return {
    /**
     * Sends pieces of complete rows (`createCopyRows`); resolves when the connection accepts more. After an error the
     * stream has ended.
     */
    async write(pieces: Iterable<Uint8Array>): Promise<void> {
      try {
        for (const piece of pieces) {
          if (!stream.write(piece)) await Promise.race([once(stream, 'drain'), done]);
        }
      } catch (error) {
        await abandon(error as Error);
        throw error;
      }
    },
    /** Resolves when the table has all rows. */
    async end(): Promise<void> {
      stream.end(copyTrailer);
      await done;
    },
    /** Discards the rows; the transaction can only be rolled back. */
    abandon: (): Promise<void> => abandon(new Error('the rows are not needed')),
  };
}

/** Sends all rows by one COPY; `rows` are pieces of complete rows (`createCopyRows`). */
export async function sendRows(client: pg.ClientBase, target: string, rows: Iterable<Uint8Array>): Promise<void> {
  const stream = openRowStream(client, target);
  await stream.write(rows);
  await stream.end();
}
