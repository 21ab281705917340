import type { Charge, Payer } from '../domain/storage-quota.js';
import type { Db } from './stored-object.js';

/** Means all days: everything that a payer has stored. */
const allDays = '-infinity';

/** How many bytes these payers have stored, by ID; omits those without any. */
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

/** A part of a statement that stores writes, `granted`: adds the charges of their payers. */
export function addingStorageUse(
  add: (value: unknown) => string,
  charges: readonly { readonly place: number; readonly charge: Charge }[],
): string {
  return `charged as (
    insert into storage_use as used (day, payer, bytes)
    select one.day, one.payer, sum(one.bytes)
    from unnest(${add(charges.map(({ place }) => place))}::integer[],
      ${add(charges.map(({ charge }) => dayOf(charge.payer)))}::date[],
      ${add(charges.map(({ charge }) => charge.payer.id))}::text[],
      ${add(charges.map(({ charge }) => charge.bytes))}::bigint[]) as one (place, day, payer, bytes)
    join granted g on g.place = one.place
    group by one.day, one.payer order by one.day, one.payer
    on conflict (day, payer) do update set bytes = used.bytes + excluded.bytes
  )`;
}

/** The mntners that have stored at least this many bytes in all, at most 1,000. */
export function largestMntnersQuery(bytes: number): string {
  return `select payer, bytes from storage_use
          where day = '${allDays}' and bytes >= ${Math.ceil(bytes)} order by bytes desc limit 1000`;
}

/** Maximum number of rows that `forgetStorageUse` removes. */
export const forgottenUses = 1_000;

/** Removes the counts of the days before this one; returns how many rows. */
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
