import { inTransaction } from '@cadastre/service';
import type { Pool } from 'pg';

/** Rolls a transaction back whose result is known. */
class RolledBack extends Error {
  constructor(readonly areNew: boolean) {
    super();
  }
}

interface RememberOptions {
  now: Date;
  /** When to remove them. */
  expires: Date;
  /** Remember nothing. */
  checkOnly: boolean;
}

/**
 * Remembers the hashes of accepted signatures, all or none. Returns false, and remembers nothing, when any of them is
 * known already or comes twice.
 */
export async function rememberSignatures(
  pool: Pool,
  hashes: readonly Uint8Array[],
  { now, expires, checkOnly }: RememberOptions,
): Promise<boolean> {
  try {
    return await inTransaction(pool, async (client) => {
      await client.query('delete from accepted_signature where expires <= $1', [now]);
      const { rowCount } = await client.query(
        `insert into accepted_signature (hash, expires) select hash, $2 from unnest($1::bytea[]) as hash
         order by hash on conflict do nothing`,
        [hashes.map((hash) => Buffer.from(hash)), expires],
      );
      const areNew = rowCount === hashes.length;
      if (checkOnly || !areNew) throw new RolledBack(areNew);
      return true;
    });
  } catch (error) {
    if (error instanceof RolledBack) return error.areNew;
    throw error;
  }
}
