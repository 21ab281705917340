import type { Charge, Payer } from '../domain/storage-quota.js';
import type { Db } from './stored-object.js';

/** Days without a day: everything that a payer has stored. */
const allDays = '-infinity';

/** How many bytes these payers have stored, by ID; those with nothing are missing. */
export async function loadStorageUse(db: Db, payers: readonly Payer[]): Promise<ReadonlyMap<string, number>> {
  if (payers.length === 0) return new Map();
  const { rows } = await db.query<{ payer: string; bytes: bigint }>({
    name: 'load-storage-use',
    text: `select payer, bytes from storage_use
           where (day, payer) in (select * from unnest($1::date[], $2::text[]))`,
    values: [payers.map(dayOf), payers.map(({ id }) => id)],
  });
  return new Map(rows.map(({ payer, bytes }) => [payer, Number(bytes)]));
}

/** Adds what payers store, each in a row of its own. Locks the rows in one order, until the transaction ends. */
export async function addStorageUse(db: Db, charges: readonly Charge[]): Promise<void> {
  await db.query({
    name: 'add-storage-use',
    text: `insert into storage_use as used (day, payer, bytes)
           select * from unnest($1::date[], $2::text[], $3::bigint[]) as charge (day, payer, bytes) order by day, payer
           on conflict (day, payer) do update set bytes = used.bytes + excluded.bytes`,
    values: [
      charges.map(({ payer }) => dayOf(payer)),
      charges.map(({ payer }) => payer.id),
      charges.map(({ bytes }) => bytes),
    ],
  });
}

/** The mntners that have stored at least so many bytes in all, at most 1,000. */
export function largestMntnersQuery(bytes: number): string {
  return `select payer, bytes from storage_use
          where day = '${allDays}' and bytes >= ${Math.ceil(bytes)} order by bytes desc limit 1000`;
}

/** Maximum number of rows that `forgetStorageUse` removes. */
export const forgottenUses = 1_000;

/** Forgets what was stored on the days before this one; returns how many rows. */
export async function forgetStorageUse(db: Db, today: Date): Promise<number> {
  const { rowCount } = await db.query({
    name: 'forget-storage-use',
    text: `delete from storage_use where (day, payer) in (
             select day, payer from storage_use where day > '${allDays}' and day < $1::date
             order by day limit ${forgottenUses} for update skip locked
           )`,
    values: [today.toISOString().slice(0, 10)],
  });
  return rowCount ?? 0;
}

function dayOf({ day }: Payer): string {
  return day === undefined ? allDays : day.toISOString().slice(0, 10);
}
