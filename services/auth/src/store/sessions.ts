import type { Pool } from 'pg';
import type { SessionRecord } from '../domain/session.js';

interface Row {
  account_id: string;
  account_name: string;
  created: Date;
  expires: Date;
  last_used: Date;
}

/** Stores a new session, and forgets those that have ended. */
export async function insertSession(pool: Pool, hash: Buffer, session: SessionRecord): Promise<void> {
  await pool.query('delete from session where expires <= $1', [session.created]);
  await pool.query('insert into session (hash, account_id, created, expires, last_used) values ($1, $2, $3, $4, $5)', [
    hash,
    session.accountId,
    session.created,
    session.expires,
    session.lastUsed,
  ]);
}

/** A session by the hash of its value, whether or not it has ended. */
export async function findSession(pool: Pool, hash: Buffer): Promise<SessionRecord | undefined> {
  const { rows } = await pool.query<Row>({
    name: 'find-session',
    text: `select s.account_id, a.name as account_name, s.created, s.expires, s.last_used
      from session s join account a on a.id = s.account_id where s.hash = $1`,
    values: [hash],
  });
  const row = rows[0];
  return (
    row && {
      accountId: row.account_id,
      accountName: row.account_name,
      created: row.created,
      expires: row.expires,
      lastUsed: row.last_used,
    }
  );
}

/** Notes the minute in which a session was used. */
export async function noteSessionUse(pool: Pool, hash: Buffer, minute: Date): Promise<void> {
  await pool.query('update session set last_used = $2 where hash = $1 and last_used < $2', [hash, minute]);
}

/** Ends a session for good. */
export async function deleteSession(pool: Pool, hash: Buffer): Promise<void> {
  await pool.query('delete from session where hash = $1', [hash]);
}
