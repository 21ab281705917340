import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';

/**
 * Runs a statement in the database of a system, as superuser. postmaster.pid has the server's port in line 4 and its
 * socket's directory in line 5.
 */
export async function inDatabase(
  dataDirectory: string,
  statement: string,
  values: unknown[] = [],
): Promise<pg.QueryResult> {
  const file = await readFile(join(dataDirectory, 'postgres', 'postmaster.pid'), 'utf8');
  const [, , , port, host] = file.split('\n');
  const client = new pg.Client({ host, port: Number(port), user: 'postgres', database: 'cadastre' });
  await client.connect();
  return client.query(statement, values).finally(() => client.end());
}
