import { charactersOfKey, maxKeys, type StoredResult, type WriteKey } from '../domain/repeatable.js';
import { type Granted, isGranted } from './serials.js';
import type { Db } from './stored-object.js';

const hourMs = 60 * 60 * 1000;
const retentionMs = 24 * hourMs;

/** The write of a key. */
interface RepeatableWrite {
  readonly request: Buffer;
  readonly results: readonly StoredResult[];
}

/** The write of a key within a day, and whether its account may not use further keys now. */
export async function findRepeatable(
  db: Db,
  { account, key }: WriteKey,
  now: Date,
): Promise<{ readonly stored: RepeatableWrite | undefined; readonly isExhausted: boolean }> {
  const { rows } = await db.query<{ request: Buffer | null; results: string | null; taken: bigint }>({
    name: 'find-repeatable',
    text: `select kept.request, kept.results, (
             select count(*) + coalesce(sum(characters / ${charactersOfKey}), 0) from (
               select octet_length(results) as characters from repeatable_write
               where account = $1 and instant > $4 limit ${maxKeys}
             ) recent
           ) as taken
           from (select) one left join repeatable_write kept on kept.account = $1 and kept.key = $2 and kept.instant > $3`,
    values: [account, key, ago(now, retentionMs), ago(now, hourMs)],
  });
  const { request, results, taken } = rows[0]!;
  const stored = request && results !== null ? { request, results: JSON.parse(results) as StoredResult[] } : undefined;
  return { stored, isExhausted: taken >= maxKeys };
}

/** The condition of a write `w` of a statement that stores writes: its key is free. */
export function freeKeys(
  add: (value: unknown) => string,
  keys: readonly { readonly place: number; readonly key: WriteKey; readonly instant: Date }[],
): string {
  return `not exists (
    select from unnest(${add(keys.map(({ place }) => place))}::integer[],
      ${add(keys.map(({ key }) => key.account))}::bytea[],
      ${add(keys.map(({ key }) => key.key))}::bytea[],
      ${add(keys.map(({ instant }) => ago(instant, retentionMs)))}::timestamptz[]) as one (place, account, key, expired)
    join repeatable_write kept on kept.account = one.account and kept.key = one.key and kept.instant > one.expired
    where one.place = w.place
  )`;
}

/** Stores the write of a key, if the transaction stores the write. */
export async function keepRepeatable(
  db: Db,
  { account, key, request }: WriteKey,
  results: readonly StoredResult[],
  now: Date,
  granted: Granted,
): Promise<void> {
  await db.query({
    name: 'keep-repeatable',
    // A row of the same key is older than a day.
    text: `insert into repeatable_write (account, key, request, results, instant)
           select $1::bytea, $2::bytea, $3::bytea, $4::text, $5::timestamptz where ${isGranted('$6')}
           on conflict (account, key) do update
             set request = excluded.request, results = excluded.results, instant = excluded.instant`,
    values: [account, key, request, JSON.stringify(results), now, granted.place],
  });
}

/** Maximum number of rows that `forgetRepeatable` removes. */
export const forgottenBatchSize = 1_000;

/** Removes the oldest writes of keys that are more than a day old; returns how many. */
export async function forgetRepeatable(db: Db, now: Date): Promise<number> {
  const { rowCount } = await db.query({
    name: 'forget-repeatable',
    text: `delete from repeatable_write where (account, key) in (
             select account, key from repeatable_write where instant <= $1
             order by instant limit ${forgottenBatchSize} for update skip locked
           )`,
    values: [ago(now, retentionMs)],
  });
  return rowCount ?? 0;
}

function ago(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms);
}
