import { createReadStream, createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { median } from './statistics.ts';

/** Seconds of plain COPY: the upper limit of this database. */
export interface CopyResult {
  readonly rows: number;
  /** Into a table with the same columns and indexes. */
  readonly indexedSeconds: number;
  /** Into a table with the same columns and no index. */
  readonly bareSeconds: number;
}

/** With more rows one round is long enough. */
const rowsForRounds = 1_000_000;

/** A table with the columns and indexes of the objects table. */
export const indexedTable = 'bench.indexed';
const bareTable = 'bench.bare';
const storedTable = 'objects.object';

/**
 * Copies the rows that the system has stored, prepared in a file in PostgreSQL's binary form, into both tables of the
 * same server, in turn; then removes the file. One connection, one transaction for each copy, with durable commits.
 */
export async function measureCopy(
  databaseUrl: string,
  file: string,
  rounds: number,
  say: (line: string) => void,
): Promise<CopyResult> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const rows = await prepare(client, file);
    const seconds: { indexed: number[]; bare: number[] } = { indexed: [], bare: [] };
    const times = rows > rowsForRounds ? 1 : rounds;
    for (let round = 0; round < times; round += 1) {
      say(`Copying the same rows, round ${round + 1} of ${times}`);
      seconds.bare.push(await copy(client, file, bareTable));
      seconds.indexed.push(await copy(client, file, indexedTable));
    }
    return { rows, indexedSeconds: median(seconds.indexed), bareSeconds: median(seconds.bare) };
  } finally {
    await client.end();
    await rm(file, { force: true });
  }
}

async function prepare(client: pg.Client, file: string): Promise<number> {
  await client.query('create schema if not exists bench');
  await client.query(`create table ${indexedTable} (like ${storedTable} including all)`);
  await client.query(`create table ${bareTable} (like ${storedTable} including storage including compression)`);
  const stream = client.query(copyTo(`copy (select * from ${storedTable}) to stdout (format binary)`));
  await pipeline(stream, createWriteStream(file));
  return stream.rowCount;
}

async function copy(client: pg.Client, file: string, table: string): Promise<number> {
  await client.query('checkpoint');
  const start = performance.now();
  await pipeline(
    createReadStream(file, { highWaterMark: 1 << 20 }),
    client.query(copyFrom(`copy ${table} from stdin (format binary)`)),
  );
  const seconds = (performance.now() - start) / 1000;
  await client.query(`truncate ${table}`);
  return seconds;
}
