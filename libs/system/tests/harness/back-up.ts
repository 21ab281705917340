import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { runProgram } from './run-program.js';

/**
 * Copies a running server into a new data directory: the steps of pg_basebackup, which the embedded server lacks
 * (PostgreSQL manual, "Continuous Archiving").
 */
export async function backUp(url: string, target: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<{ data_directory: string }>('show data_directory');
    const source = rows[0]!.data_directory;
    await client.query("select pg_backup_start('test', true)");
    await runProgram('cp', ['-a', source, target], {});
    const stopped = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await writeFile(join(target, 'backup_label'), stopped.rows[0]!.labelfile);
    const segments = (await readdir(join(source, 'pg_wal'))).filter((name) => /^[0-9A-F]{24}$/.test(name));
    for (const name of segments) {
      await runProgram('cp', ['-a', join(source, 'pg_wal', name), join(target, 'pg_wal')], {});
    }
    await rm(join(target, 'postmaster.pid'), { force: true });
  } finally {
    await client.end();
  }
}
