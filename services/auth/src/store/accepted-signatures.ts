import type { PoolClient } from 'pg';

/**
 * Remembers what was signed; answers false when any of it is remembered already, or is told twice. To be undone by
 * rolling back.
 */
export async function rememberSignatures(
  client: PoolClient,
  hashes: Buffer[],
  expires: Date,
  now: Date,
): Promise<boolean> {
  await client.query('delete from accepted_signature where expires <= $1', [now]);
  const { rowCount } = await client.query(
    `insert into accepted_signature (hash, expires) select hash, $2 from unnest($1::bytea[]) as hash
     order by hash on conflict do nothing`,
    [hashes, expires],
  );
  return rowCount === hashes.length;
}
