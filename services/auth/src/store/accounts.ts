import type { Pool, PoolClient } from 'pg';
import type { Account } from '../domain/account.js';

/** Keeps an account of the identity provider as it is now. */
export async function rememberAccount(pool: Pool, account: Account, now: Date): Promise<void> {
  await pool.query(
    `insert into account (id, name, first_seen, last_seen) values ($1, $2, $3, $3)
     on conflict (id) do update set name = excluded.name, last_seen = excluded.last_seen`,
    [account.id, account.name, now],
  );
}

/** The account that was last seen under a name, in any letter case. */
export async function accountByName(pool: Pool, name: string): Promise<Account | undefined> {
  const { rows } = await pool.query<Account>(
    'select id, name from account where lower(name) = lower($1) order by last_seen desc, id limit 1',
    [name],
  );
  return rows[0];
}

/** The account with a subject. */
export async function accountById(pool: Pool, id: string): Promise<Account | undefined> {
  const { rows } = await pool.query<Account>('select id, name from account where id = $1', [id]);
  return rows[0];
}

/** Makes writers of the same account's keys wait for one another until the transaction ends. */
export async function lockAccount(client: PoolClient, id: string): Promise<void> {
  await client.query('select 1 from account where id = $1 for update', [id]);
}
