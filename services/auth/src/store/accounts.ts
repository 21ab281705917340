import { inTransaction } from '@cadastre/service';
import type { Pool, PoolClient } from 'pg';
import type { Account } from '../domain/accounts.js';

/**
 * SQL: since when the account `a` is inactive at the identity provider; null for an active one. In this form it also
 * works with the schema of the previous release, where the column is missing.
 */
export const inactiveSince = "(to_jsonb(a) ->> 'inactive')::timestamptz";

/**
 * Stores an account of the identity provider as active. Another account that was last seen under its name loses that
 * name until it is seen again.
 */
export async function rememberAccount(pool: Pool, account: Account, now: Date): Promise<void> {
  const { rows } = await pool.query<{ inactive: Date | null }>(
    `insert into account as a (id, name, first_seen, last_seen) values ($1, $2, $3, $3)
     on conflict (id) do update set name = excluded.name, last_seen = excluded.last_seen
     returning ${inactiveSince} as inactive`,
    [account.id, account.name, now],
  );
  await pool.query(`update account set name = '' where lower(name) = lower($2) and id <> $1`, [
    account.id,
    account.name,
  ]);
  if (rows[0]?.inactive) await pool.query('update account set inactive = null where id = $1', [account.id]);
}

/** Stores that an account is inactive; returns whether it was active before. */
export async function markInactive(pool: Pool, id: string, now: Date): Promise<boolean> {
  const { rowCount } = await pool.query('update account set inactive = $2 where id = $1 and inactive is null', [
    id,
    now,
  ]);
  return rowCount === 1;
}

/** Finds the account that was last seen under a name, in any letter case, active or not. */
export async function accountByName(pool: Pool, name: string): Promise<Account | undefined> {
  const { rows } = await pool.query<Account>(
    'select id, name from account where lower(name) = lower($1) order by last_seen desc, id limit 1',
    [name],
  );
  return rows[0];
}

/** Finds the active account with a subject. */
export async function accountById(pool: Pool, id: string): Promise<Account | undefined> {
  const { rows } = await pool.query<Account>(
    `select id, name from account a where id = $1 and ${inactiveSince} is null`,
    [id],
  );
  return rows[0];
}

/** Locks an account until the transaction ends: one transaction at a time adds keys to it. */
export async function lockAccount(client: PoolClient, id: string): Promise<void> {
  await client.query('select 1 from account where id = $1 for update', [id]);
}

/** How to claim accounts whose check is due. */
interface TakeOptions {
  /** Maximum number of accounts. */
  max: number;
  now: Date;
  /** Until then no other replica claims them; they are due again if no check succeeded. */
  leasedUntil: Date;
}

/**
 * Claims accounts whose check is due, the longest overdue first, and returns their subjects. Removes accounts without a
 * usable key or session from the checks; a new key or session adds them again.
 */
export function takeDueAccounts(pool: Pool, { max, now, leasedUntil }: TakeOptions): Promise<string[]> {
  return inTransaction(pool, async (client) => {
    const { rows: due } = await client.query<{ account_id: string }>(
      'select account_id from account_check where due <= $1 order by due limit $2 for update skip locked',
      [now, max],
    );
    const ids = due.map((row) => row.account_id);
    if (ids.length === 0) return [];
    // A separate statement sees the keys and sessions of all transactions that had the rows locked before.
    await client.query(
      `delete from account_check c where account_id = any ($1)
         and not exists (select 1 from api_key k where k.account_id = c.account_id and revoked is null and expires > $2)
         and not exists (select 1 from session s where s.account_id = c.account_id and expires > $2)`,
      [ids, now],
    );
    const { rows: taken } = await client.query<{ account_id: string }>(
      'update account_check set due = $2 where account_id = any ($1) returning account_id',
      [ids, leasedUntil],
    );
    return taken.map((row) => row.account_id);
  });
}

/** Stores when the next check of an account is due. */
export async function scheduleCheck(pool: Pool, accountId: string, due: Date): Promise<void> {
  await pool.query('update account_check set due = $2 where account_id = $1', [accountId, due]);
}
