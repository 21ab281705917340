import type { Pool, PoolClient } from 'pg';
import type { BlockRecord } from '../domain/blocks.js';

type Row = Omit<BlockRecord, 'until'> & { until: Date | null };

function toRecord(row: Row): BlockRecord {
  return { ...row, until: row.until ?? undefined };
}

const columns = 'prefix, reason, added_by as "addedBy", created, until';

/** Stores a block of a network that is not blocked. */
export async function insertBlock(client: PoolClient, block: BlockRecord): Promise<void> {
  const { prefix, reason, addedBy, created, until } = block;
  const values = [prefix, reason, addedBy, created, until];
  await client.query(
    'insert into block (prefix, reason, added_by, created, until) values ($1, $2, $3, $4, $5)',
    values,
  );
}

/** Ends the block of a network, and returns it; `undefined` when the network is not blocked. */
export async function endBlock(
  client: Pool | PoolClient,
  prefix: string,
  removedBy: string,
  now: Date,
): Promise<BlockRecord | undefined> {
  const { rows } = await client.query<Row>(
    `with ended as (
       update block set removed = $3, removed_by = $2 where prefix = $1 and removed is null returning *
     ) select ${columns} from ended where until is null or until > $3`,
    [prefix, removedBy, now],
  );
  return rows[0] && toRecord(rows[0]);
}

/** Lists the blocks in force, oldest first. */
export async function listBlocks(pool: Pool, now: Date): Promise<BlockRecord[]> {
  const { rows } = await pool.query<Row>(
    `select ${columns} from block where removed is null and (until is null or until > $1) order by id`,
    [now],
  );
  return rows.map(toRecord);
}

/** Counts the changes of the list, from 1. Rows are never deleted, so the count grows with each change. */
export async function blockListVersion(pool: Pool): Promise<bigint> {
  const { rows } = await pool.query<{ version: bigint }>('select 1 + count(*) + count(removed) as version from block');
  return BigInt(rows[0]!.version);
}

/** Locks the list until the transaction ends: one change at a time. */
export async function lockBlocks(client: PoolClient): Promise<void> {
  await client.query('lock table block in share row exclusive mode');
}
