import type { Pool, PoolClient } from 'pg';
import type { ApiKeyRecord } from '../domain/api-keys.js';
import { inactiveSince } from './accounts.js';

const columns = `k.id, k.account_id as "accountId", a.name as "accountName", k.name, k.hash, k.maintainer, k.created,
  k.expires, k.revoked, k.last_used as "lastUsed"`;

type Row = Omit<ApiKeyRecord, 'revoked' | 'lastUsed'> & { revoked: Date | null; lastUsed: Date | null };

function toRecord(row: Row): ApiKeyRecord {
  return { ...row, revoked: row.revoked ?? undefined, lastUsed: row.lastUsed ?? undefined };
}

/** Finds a key by its ID. The key of an inactive account is not found. */
export async function findApiKey(pool: Pool, id: string): Promise<ApiKeyRecord | undefined> {
  const { rows } = await pool.query<Row>({
    name: 'find-api-key',
    text: `select ${columns} from api_key k join account a on a.id = k.account_id
      where k.id = $1 and ${inactiveSince} is null`,
    values: [id],
  });
  return rows[0] && toRecord(rows[0]);
}

/** Lists the keys of an account, newest first. */
export async function listApiKeys(pool: Pool, accountId: string): Promise<ApiKeyRecord[]> {
  const { rows } = await pool.query<Row>(
    `select ${columns} from api_key k join account a on a.id = k.account_id
     where k.account_id = $1 order by k.created desc, k.id`,
    [accountId],
  );
  return rows.map(toRecord);
}

/** Counts the keys of an account that are neither revoked nor expired. */
export async function countUsableKeys(client: PoolClient, accountId: string, now: Date): Promise<number> {
  const { rows } = await client.query<{ count: bigint }>(
    'select count(*) as count from api_key where account_id = $1 and revoked is null and expires > $2',
    [accountId, now],
  );
  return Number(rows[0]!.count);
}

/** Stores a new key. */
export async function insertApiKey(client: PoolClient, key: ApiKeyRecord): Promise<void> {
  await client.query(
    `insert into api_key (id, account_id, name, hash, maintainer, created, expires)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [key.id, key.accountId, key.name, key.hash, key.maintainer, key.created, key.expires],
  );
}

/** Revokes a key, and returns it. With a subject, only a key of that account; `undefined` when there is none. */
export async function revokeApiKey(
  pool: Pool,
  id: string,
  accountId: string | undefined,
  now: Date,
): Promise<ApiKeyRecord | undefined> {
  const { rows } = await pool.query<Row>(
    `update api_key k set revoked = coalesce(k.revoked, $3) from account a
     where k.id = $1 and a.id = k.account_id and ($2::text is null or a.id = $2) returning ${columns}`,
    [id, accountId ?? null, now],
  );
  return rows[0] && toRecord(rows[0]);
}

/** Stores the minute in which a key was used. */
export async function noteKeyUse(pool: Pool, id: string, minute: Date): Promise<void> {
  await pool.query('update api_key set last_used = $2 where id = $1 and (last_used is null or last_used < $2)', [
    id,
    minute,
  ]);
}
