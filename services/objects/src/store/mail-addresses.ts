import type { NamedAddresses } from '../domain/mail-address.js';
import { type Granted, isGranted } from './serials.js';
import type { Db } from './stored-object.js';

/** Days until an unconfirmed address may get a second request for confirmation, and until it is removed. */
const requestDays = 30;

/** A write names more unknown addresses than its account may: a concurrent write has named some. */
export const boundOfAddressesExceeded = '23514';

/**
 * Which of these addresses (folded) the registry does not know, and how many unknown ones the account has named today.
 */
export async function findNamedAddresses(
  db: Db,
  account: string,
  addresses: readonly string[],
  now: Date,
): Promise<NamedAddresses> {
  const { rows } = await db.query<NamedAddresses>({
    name: 'find-named-addresses',
    text: `select array(
             select folded from unnest($1::text[]) as named (folded)
             where not exists (select from mail_address a where a.folded = named.folded collate "C")
             order by folded collate "C"
           ) as unknown, coalesce((
             select named from new_addresses where account = $2 and day = ($3::timestamptz at time zone 'UTC')::date
           ), 0) as "namedToday"`,
    values: [addresses, account, now],
  });
  return rows[0]!;
}

/**
 * Stores unknown addresses (folded, sorted) that a write names, and counts them for its account, if the transaction stores
 * the write. Fails with `boundOfAddressesExceeded` when the account has named more than `bound` today.
 */
export async function nameAddresses(
  db: Db,
  { account, addresses, bound }: { account: string; addresses: readonly string[]; bound: number },
  now: Date,
  granted: Granted,
): Promise<void> {
  await db.query({
    name: 'name-addresses',
    text: `with counted as (
             insert into new_addresses as n (account, day, named, bound)
             select $2::text, ($4::timestamptz at time zone 'UTC')::date, cardinality($1::text[]), $3::integer
             where ${isGranted('$5')}
             on conflict (account, day) do update set named = n.named + excluded.named, bound = excluded.bound
             returning 1
           )
           insert into mail_address (folded, changed)
           select folded, $4 from counted, unnest($1::text[]) with ordinality as one (folded, position)
           order by position on conflict do nothing`,
    values: [addresses, account, bound, now, granted.place],
  });
}

/** Which of these addresses (folded) their owners have confirmed. */
export async function confirmedAddresses(db: Db, addresses: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ folded: string }>({
    name: 'confirmed-addresses',
    text: 'select folded from mail_address where folded = any($1) and confirmed is not null',
    values: [addresses],
  });
  return new Set(rows.map(({ folded }) => folded));
}

/**
 * Which of the unconfirmed addresses of notifications get a request for confirmation now: each at most one in 30 days,
 * for all objects together. Concurrent calls agree.
 */
export async function requestConfirmations(
  db: Db,
  notifications: readonly { readonly folded: string }[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const addresses = new Set(notifications.map(({ folded }) => folded));
  const { rows } = await db.query<{ folded: string }>({
    name: 'request-confirmations',
    text: `insert into mail_address as a (folded, requested, changed)
           select folded, $2, $2 from unnest($1::text[]) as one (folded) order by folded collate "C"
           on conflict (folded) do update set requested = $2, changed = $2
           where a.confirmed is null and (a.requested is null or a.requested <= $3)
           returning folded`,
    values: [[...addresses], now, daysAgo(now, requestDays)],
  });
  return new Set(rows.map(({ folded }) => folded));
}

/** Confirms addresses (folded, without duplicates); returns how many were not confirmed. */
export async function confirmAddresses(db: Db, addresses: readonly string[], now: Date): Promise<number> {
  const { rowCount } = await db.query({
    name: 'confirm-addresses',
    text: `insert into mail_address as a (folded, confirmed, changed)
           select folded, $2, $2 from unnest($1::text[]) as one (folded) order by folded collate "C"
           on conflict (folded) do update set confirmed = $2, changed = $2 where a.confirmed is null`,
    values: [addresses, now],
  });
  return rowCount ?? 0;
}

/** Maximum number of addresses that `forgetAddresses` removes. */
export const addressBatchSize = 1_000;

/**
 * Removes addresses that were not confirmed for 30 days, and counts of days before yesterday; returns how many
 * addresses.
 */
export async function forgetAddresses(db: Db, now: Date): Promise<number> {
  await db.query({
    name: 'forget-counts-of-addresses',
    text: `delete from new_addresses where day < ($1::timestamptz at time zone 'UTC')::date - 1`,
    values: [now],
  });
  const { rowCount } = await db.query({
    name: 'forget-addresses',
    text: `delete from mail_address where folded in (
             select folded from mail_address where confirmed is null and changed <= $1
             order by changed limit ${addressBatchSize} for update skip locked
           )`,
    values: [daysAgo(now, requestDays)],
  });
  return rowCount ?? 0;
}

function daysAgo(now: Date, days: number): Date {
  return new Date(now.getTime() - days * 24 * 3_600_000);
}
