import type { Db } from './stored-object.js';

/** Maximum distance of two days. */
const maxDaysApart = 30;

/**
 * Records that the mail server refused these addresses (folded) for notifications of these days. Two days mark an
 * address as undeliverable. Days are those of the notifications, so recording the same one twice has no effect. Returns
 * the addresses that were not marked before.
 */
export async function recordUndelivered(
  db: Db,
  failed: readonly { readonly folded: string; readonly instant: Date }[],
  now: Date,
): Promise<string[]> {
  const { rows } = await db.query<{ address: string }>({
    name: 'record-undelivered',
    text: `with failed as (
             select folded, min(day) as first_day, max(day) as last_day
             from (select folded, (instant at time zone 'UTC')::date as day
                   from unnest($1::text[], $2::timestamptz[]) as one (folded, instant)) days
             group by folded
           ), recorded as (
             insert into undelivered as u (folded, kind, first_day, last_day)
             select folded, 'refused', first_day, last_day from failed order by folded collate "C"
             on conflict (folded, kind) do update set
               first_day = case when excluded.first_day > u.last_day + ${maxDaysApart} then excluded.first_day
                 else least(u.first_day, excluded.first_day) end,
               last_day = greatest(u.last_day, excluded.last_day)
             returning u.folded, u.first_day, u.last_day
           )
           insert into email_mark (address, mark, marked)
           select folded, 'undeliverable', $3 from recorded where first_day < last_day
           on conflict do nothing returning address`,
    values: [failed.map(({ folded }) => folded), failed.map(({ instant }) => instant), now],
  });
  return rows.map(({ address }) => address);
}

/** Removes entries older than the maximum distance. */
export async function forgetUndelivered(db: Db, now: Date): Promise<void> {
  await db.query({
    name: 'forget-undelivered',
    text: `delete from undelivered where last_day < ($1 at time zone 'UTC')::date - ${2 * maxDaysApart}`,
    values: [now],
  });
}
