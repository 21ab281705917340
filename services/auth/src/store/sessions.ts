import type { Pool, PoolClient } from 'pg';
import type { SessionRecord } from '../domain/sessions.js';
import { inactiveSince } from './accounts.js';

/** Maximum sessions of an account: those that were used last. */
const maxSessionsPerAccount = 100;

/** Stores a new session. Deletes expired sessions, and the least recently used ones of an account with too many. */
export async function insertSession(client: PoolClient, hash: Buffer, session: SessionRecord): Promise<void> {
  await client.query('delete from session where expires <= $1', [session.created]);
  await client.query(
    `delete from session where hash in
       (select hash from session where account_id = $1 order by last_used desc, created desc offset $2)`,
    [session.accountId, maxSessionsPerAccount - 1],
  );
  await client.query(
    'insert into session (hash, account_id, created, expires, last_used) values ($1, $2, $3, $4, $5)',
    [hash, session.accountId, session.created, session.expires, session.lastUsed],
  );
}

/** Finds a session by the hash of its value, expired or not. The session of an inactive account is not found. */
export async function findSession(pool: Pool, hash: Buffer): Promise<SessionRecord | undefined> {
  const { rows } = await pool.query<SessionRecord>({
    name: 'find-session',
    text: `select s.account_id as "accountId", a.name as "accountName", s.created, s.expires, s.last_used as "lastUsed"
      from session s join account a on a.id = s.account_id
      where s.hash = $1 and ${inactiveSince} is null`,
    values: [hash],
  });
  return rows[0];
}

/** Stores the minute in which a session was used. */
export async function noteSessionUse(pool: Pool, hash: Buffer, minute: Date): Promise<void> {
  await pool.query('update session set last_used = $2 where hash = $1 and last_used < $2', [hash, minute]);
}

/** Deletes a session. */
export async function deleteSession(pool: Pool, hash: Buffer): Promise<void> {
  await pool.query('delete from session where hash = $1', [hash]);
}

/**
 * Stores that a sign-in finished, and deletes expired ones. Returns whether it is the first time: the table has
 * finished sign-ins, open ones are only in cookies.
 */
export async function finishOnce(client: PoolClient, tokenHash: Buffer, expires: Date, now: Date): Promise<boolean> {
  await client.query('delete from sign_in where expires <= $1', [now]);
  const { rowCount } = await client.query(
    `insert into sign_in (token_hash, return_path, expires) values ($1, '', $2) on conflict do nothing`,
    [tokenHash, expires],
  );
  return rowCount === 1;
}
