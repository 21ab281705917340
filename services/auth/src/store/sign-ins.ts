import type { Pool } from 'pg';

/** Stores that a sign-in was begun, and forgets those that were never finished. */
export async function insertSignIn(
  pool: Pool,
  signIn: { tokenHash: Buffer; returnPath: string; expires: Date },
  now: Date,
): Promise<void> {
  await pool.query('delete from sign_in where expires <= $1', [now]);
  await pool.query('insert into sign_in (token_hash, return_path, expires) values ($1, $2, $3)', [
    signIn.tokenHash,
    signIn.returnPath,
    signIn.expires,
  ]);
}

/** Uses up a sign-in; `undefined` when there is none, or it took too long. */
export async function takeSignIn(
  pool: Pool,
  tokenHash: Buffer,
  now: Date,
): Promise<{ returnPath: string } | undefined> {
  const { rows } = await pool.query<{ return_path: string; expires: Date }>(
    'delete from sign_in where token_hash = $1 returning return_path, expires',
    [tokenHash],
  );
  return rows[0] && rows[0].expires > now ? { returnPath: rows[0].return_path } : undefined;
}
