import type { EmailMark, EmailMarks } from '../domain/mail-address.js';
import { columnsOf, type Db } from './stored-object.js';

/** A mark of an address with its start time. */
interface MarkedEmail {
  readonly address: string;
  readonly mark: EmailMark;
  readonly marked: Date;
}

/** The marks of these addresses (folded, without duplicates). */
export async function loadEmailMarks(db: Db, addresses: readonly string[]): Promise<EmailMarks> {
  if (addresses.length === 0) return new Map();
  const { rows } = await db.query<Pick<MarkedEmail, 'address' | 'mark'>>({
    name: 'email-marks',
    text: 'select address, mark from email_mark where address = any($1)',
    values: [addresses],
  });
  const marks = Map.groupBy(rows, ({ address }) => address);
  return new Map([...marks].map(([address, list]) => [address, new Set(list.map(({ mark }) => mark))]));
}

/** The same for several who ask: each gets the marks of all addresses. */
export async function loadEmailMarksOfAll(db: Db, requested: readonly (readonly string[])[]): Promise<EmailMarks[]> {
  const marks = await loadEmailMarks(db, [...new Set(requested.flat())]);
  return requested.map(() => marks);
}

/** Adds a mark to addresses; returns how many did not have it. */
export async function putEmailMark(db: Db, addresses: readonly string[], mark: EmailMark, now: Date): Promise<number> {
  const { rowCount } = await db.query(
    `insert into email_mark (address, mark, marked) select address, $2, $3 from unnest($1::text[]) as address
     order by address on conflict do nothing`,
    [addresses, mark, now],
  );
  return rowCount ?? 0;
}

/** Removes a mark from addresses, and its cause; returns how many had it. */
export async function removeEmailMark(db: Db, addresses: readonly string[], mark: EmailMark): Promise<number> {
  const { rowCount } = await db.query(
    `with forgotten as (delete from undelivered where folded = any($1) and $2 = 'undeliverable')
     delete from email_mark where address = any($1) and mark = $2`,
    [addresses, mark],
  );
  return rowCount ?? 0;
}

/** The marks (one kind, or all) of at most `limit` addresses after a given one, in order. */
export async function listEmailMarks(
  db: Db,
  mark: EmailMark | undefined,
  after: string,
  limit: number,
): Promise<MarkedEmail[]> {
  const { rows } = await db.query<MarkedEmail>(
    `select address, mark, marked from email_mark
     where ($1::text is null or mark = $1) and address in (
       select address from email_mark where ($1::text is null or mark = $1) and address > $2
       group by address order by address limit $3)
     order by address, mark`,
    [mark ?? null, after, limit],
  );
  return rows;
}

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
    values: [...columnsOf(failed, 'folded', 'instant'), now],
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
