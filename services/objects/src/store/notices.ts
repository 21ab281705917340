import type { Notice, NoticedChange } from '../domain/notices.js';
import type { Section } from '../domain/notified-emails.js';
import { type Granted, isGranted } from './serials.js';
import { columnsOf, type Db, idColumns, type ObjectId } from './stored-object.js';

/** The state of a notification. */
export type NotificationState = 'waiting' | 'sent' | 'failed' | 'skipped';

/** One mail: the changes of a request for one address. */
export interface StoredNotification {
  readonly id: bigint;
  readonly address: string;
  readonly folded: string;
  readonly sourceId: number;
  readonly state: NotificationState;
  readonly attempts: number;
  /** Whether it requests the confirmation of the address, instead of reporting changes. */
  readonly confirms: boolean;
  readonly instant: Date;
  readonly due: Date;
  readonly error: string;
  readonly changedBy: string;
  readonly replyTo: string;
  readonly clientAddress: string;
  readonly entries: readonly { readonly section: Section; readonly change: number }[];
  readonly changes: readonly NoticedChange[];
}

/** A notice of a write, which is stored if the transaction stores its write. */
export interface GrantedNotice {
  readonly notice: Notice;
  readonly granted: Granted;
}

/** Stores notices, each with a notification for each recipient: one statement. */
export async function recordNotices(db: Db, sourceId: number, notices: readonly GrantedNotice[]): Promise<void> {
  await db.query({
    name: 'record-notices',
    text: recording(isGranted('n.place')),
    values: noticeValues(sourceId, notices),
  });
}

/** Bounds on the cost of refusals, which anyone with an account can cause. */
const refusalsOfCaller = 10;
const refusalsOfAddress = 20;

/**
 * Stores the notice of a refusal. In each hour, at most 10 refusals of one caller, and 20 for one address, are
 * notified; further ones are not.
 */
export async function recordRefusal(db: Db, sourceId: number, notice: Notice): Promise<void> {
  const counted = (table: string, condition: string) =>
    `(select count(*) from ${table} o where o.refused and ${condition} and o.instant > n.instant - interval '1 hour')`;
  await db.query({
    name: 'record-refusal',
    text: recording(
      `${counted('notice', 'o.caller = n.caller collate "C"')} < ${refusalsOfCaller}
         and ${counted('notification', 'o.folded = r.folded collate "C"')} < ${refusalsOfAddress}`,
    ),
    values: noticeValues(sourceId, [{ notice, granted: { place: '' } }]),
  });
}

/** A statement that stores notices, n, for the recipients, r, of whom the condition is true. */
function recording(condition: string): string {
  return `
    with given as materialized (
      select * from unnest($2::timestamptz[], $3::boolean[], $4::text[], $5::text[], $6::text[], $7::integer[],
          $8::text[], $9::text[], $10::text[], $11::text[], $12::text[])
        with ordinality as n (instant, refused, caller, changed_by, reply_to, size, changes, recipients, client_address,
          own_address, place, number)
    ), told as materialized (
      select n.number, n.caller collate "C" as caller, n.instant, n.own_address, r.address,
        r.folded collate "C" as folded, r.entries, row_number() over () as turn
      from given n cross join lateral
        jsonb_to_recordset(n.recipients::jsonb) as r (address text, folded text, entries jsonb)
      where ${condition}
    ), numbered as materialized (
      select n.*, nextval(pg_get_serial_sequence('notice', 'id')) as id from given n
      where n.number in (select number from told)
    ), noticed as (
      insert into notice (id, source_id, instant, refused, caller, changed_by, reply_to, size, changes, client_address)
      overriding system value
      select id, $1, instant, refused, caller, changed_by, reply_to, size, changes::jsonb, client_address from numbered
    ), owned as (
      insert into mail_address as a (folded, confirmed, changed)
      select t.folded, max(t.instant), max(t.instant) from told t
      where t.folded = t.own_address collate "C" and not exists (
        select from mail_address k where k.folded = t.folded and k.confirmed is not null
      )
      group by t.folded order by t.folded
      on conflict (folded) do update set confirmed = excluded.confirmed, changed = excluded.changed
        where a.confirmed is null
    ), counted as materialized (
      select t.caller, count(*) as mails, max(t.instant) as instant,
        coalesce((select turn from mail_turn where caller = ''), 0) as now
      from told t group by t.caller
    ), taken as (
      insert into mail_turn as m (caller, turn, changed) select caller, now + mails, instant from counted order by caller
      on conflict (caller) do update
        set turn = greatest(m.turn - (select max(now) from counted), 0) + excluded.turn, changed = excluded.changed
      returning caller, turn
    )
    insert into notification (notice_id, address, folded, refused, instant, entries, due, turn)
    select n.id, t.address, t.folded, n.refused, n.instant, t.entries, n.instant,
      taken.turn - c.mails + row_number() over (partition by t.caller order by t.turn)
    from told t
    join numbered n on n.number = t.number
    join counted c on c.caller = t.caller
    join taken on taken.caller = t.caller
    order by t.turn`;
}

function noticeValues(sourceId: number, notices: readonly GrantedNotice[]): unknown[] {
  const of = <T>(read: (notice: Notice) => T): T[] => notices.map(({ notice }) => read(notice));
  return [
    sourceId,
    of(({ instant }) => instant),
    of(({ refused }) => refused),
    of(({ caller }) => caller),
    of(({ changedBy }) => changedBy),
    of(({ replyTo }) => replyTo),
    of(({ changes }) => changes.reduce((sum, one) => sum + one.size, 0)),
    of(({ changes }) => JSON.stringify(changes)),
    of(({ recipients }) => JSON.stringify(recipients)),
    of(({ clientAddress }) => clientAddress),
    of(({ ownAddress }) => ownAddress),
    notices.map(({ granted }) => granted.place),
  ];
}

const columns = `n.id, n.address, n.folded, o.source_id as "sourceId", n.state, n.attempts, n.confirms, n.instant,
  n.due, n.error, o.changed_by as "changedBy", o.reply_to as "replyTo",
  o.client_address as "clientAddress"`;
/** Selects a `StoredNotification` of notification `n` and notice `o`. */
const contents = `${columns}, n.entries, o.changes`;

/** Maximum size of the texts of one claim, unless one notification has more. */
const claimSize = 2 * 1024 * 1024;

/** A claimed notification. */
export interface ClaimedNotification extends StoredNotification {
  readonly turn: bigint;
}

/** Puts accounts without recent mails behind the accounts of these claimed ones. */
export async function advanceTurns(db: Db, claimed: readonly ClaimedNotification[]): Promise<void> {
  await db.query({
    name: 'advance-turns',
    text: `update mail_turn set turn = greatest(turn, (select max(one) from unnest($1::bigint[]) as one)) where caller = ''`,
    values: [claimed.map(({ turn }) => turn)],
  });
}

/** Removes the turns of accounts that caused no mails for a day. */
export async function forgetTurns(db: Db, now: Date): Promise<void> {
  await db.query({
    name: 'forget-turns',
    text: `delete from mail_turn where caller <> '' and changed < $1::timestamptz - interval '1 day'`,
    values: [now],
  });
}

/** Turns claimed notifications into requests for confirmation. */
export async function makeRequests(db: Db, claimed: readonly ClaimedNotification[]): Promise<void> {
  if (claimed.length === 0) return;
  await db.query({
    name: 'make-requests',
    text: 'update notification set confirms = true where id = any($1)',
    values: [claimed.map(({ id }) => id)],
  });
}

/**
 * Claims notifications that are due until the end of the lease. Callers take turns: the mails of one do not delay those
 * of others. Needs a transaction.
 */
export async function claimNotifications(
  db: Db,
  { limit, now, leaseEnd }: { readonly limit: number; readonly now: Date; readonly leaseEnd: Date },
): Promise<{ claimed: ClaimedNotification[]; more: boolean }> {
  const { rows } = await db.query<ClaimedNotification & { readonly found: number }>({
    name: 'claim-notifications',
    text: `with free as materialized (
             select n.id, n.turn, n.notice_id from notification n
             where n.state = 'waiting' and n.due <= $1 order by n.turn, n.id limit $2 for update of n skip locked
           ), sized as (
             select f.id, f.turn, o.size from free f join notice o on o.id = f.notice_id
           ), taken as (
             select id from (select id, sum(size) over (order by turn, id) - size as earlier from sized) summed
             where earlier < ${claimSize}
           )
           update notification n set due = $3, attempts = n.attempts + 1
           from taken, notice o where n.id = taken.id and o.id = n.notice_id
           returning ${contents}, n.turn, (select count(*)::integer from free) as found`,
    values: [now, limit, leaseEnd],
  });
  const found = rows[0]?.found ?? 0;
  return {
    claimed: rows.sort((a, b) => Number(a.id - b.id)),
    more: found === limit || found > rows.length,
  };
}

/** The outcome of one claimed notification. */
interface Settlement {
  readonly id: bigint;
  readonly attempt: number;
  readonly state: NotificationState;
  readonly due: Date;
  readonly error: string;
}

/**
 * Settles claims, except outdated ones. An accepted mail shows that the address works. Returns the notifications that
 * changed.
 */
export async function settleNotifications(
  db: Db,
  settlements: readonly Settlement[],
): Promise<{ readonly id: bigint; readonly folded: string; readonly instant: Date }[]> {
  const { rows } = await db.query<{ id: bigint; folded: string; instant: Date }>({
    name: 'settle-notifications',
    text: `with settled as (
             update notification n set state = s.state, due = s.due, error = s.error
             from unnest($1::bigint[], $2::integer[], $3::text[], $4::timestamptz[], $5::text[])
               as s (id, attempt, state, due, error)
             where n.id = s.id and n.attempts = s.attempt and n.state = 'waiting'
             returning n.id, n.folded, n.instant, n.state
           ), reached as (
             delete from undelivered u using settled s
             where u.folded = s.folded and u.kind = 'refused' and s.state = 'sent'
           )
           select id, folded, instant from settled`,
    values: columnsOf(settlements, 'id', 'attempt', 'state', 'due', 'error'),
  });
  return rows;
}

/** Notifications with a higher id, in order; `state` undefined: in any state. */
export async function listNotifications(
  db: Db,
  {
    state,
    after,
    limit,
  }: { readonly state: NotificationState | undefined; readonly after: bigint; readonly limit: number },
): Promise<Omit<StoredNotification, 'entries' | 'changes'>[]> {
  const { rows } = await db.query<StoredNotification>(
    `select ${columns} from notification n join notice o on o.id = n.notice_id
     where n.id > $1 ${state === undefined ? '' : 'and n.state = $3'} order by n.id limit $2`,
    [after, limit, ...(state === undefined ? [] : [state])],
  );
  return rows;
}

/** A notification; undefined when there is none. */
export async function getNotification(db: Db, id: bigint): Promise<StoredNotification | undefined> {
  const { rows } = await db.query<StoredNotification>(
    `select ${contents} from notification n join notice o on o.id = n.notice_id where n.id = $1`,
    [id],
  );
  return rows[0];
}

/** Makes settled notifications due again. Returns how many are due. */
export async function resendNotifications(db: Db, ids: readonly bigint[], now: Date): Promise<number> {
  const { rows } = await db.query<{ resent: number }>(
    `with resent as (
       update notification set state = 'waiting', attempts = 0, due = $2, error = ''
       where id = any($1::bigint[]) and state <> 'waiting' returning id
     )
     select count(*)::integer as resent from resent`,
    [ids, now],
  );
  return rows[0]!.resent;
}

/** A state of an object in a notification. */
export interface NotifiedState extends ObjectId {
  /** Of a deletion: one higher than that of the state before it. */
  readonly revision: number;
  readonly withText: boolean;
}

/** A state from the history. */
interface LoadedState {
  readonly serial: bigint;
  /** Empty for a deletion, for an erased text, and without `withText`. */
  readonly text: string;
}

/** These states, in their order; undefined for one that is not in the history. */
export async function loadStates(db: Db, states: readonly NotifiedState[]): Promise<(LoadedState | undefined)[]> {
  const loaded = new Array<LoadedState | undefined>(states.length).fill(undefined);
  if (states.length === 0) return loaded;
  const stored = (table: string, hasText: string, condition: string) =>
    `select wanted.position, o.serial, case when wanted.with_text and ${hasText} then o.text else '' end as text
     from wanted join ${table} o on o.source_id = wanted.source_id
       and o.type = wanted.type and o.key = wanted.key collate "C" and o.revision = wanted.revision ${condition}`;
  const { rows } = await db.query<LoadedState & { position: bigint }>({
    name: 'told-states',
    text: `with wanted as (
             select * from unnest($1::smallint[], $2::smallint[], $3::text[], $4::integer[], $5::boolean[])
               with ordinality as wanted (source_id, type, key, revision, with_text, position)
           ) ${stored('version', 'o.operation = 1', '')} union all ${stored('object', 'true', 'and not o.deleted')}`,
    values: [...idColumns(states), ...columnsOf(states, 'revision', 'withText')],
  });
  for (const { position, serial, text } of rows) loaded[Number(position) - 1] = { serial, text };
  return loaded;
}

/** The tokens with which the owners of these addresses (folded) unsubscribe, by address. Each token is permanent. */
export async function unsubscribeTokens(db: Db, addresses: readonly string[]): Promise<Map<string, string>> {
  const wanted = [...new Set(addresses)].sort();
  await db.query({
    name: 'add-unsubscribe-tokens',
    text: `insert into unsubscribe_token (folded) select unnest($1::text[]) on conflict do nothing`,
    values: [wanted],
  });
  const { rows } = await db.query<{ folded: string; token: string }>({
    name: 'unsubscribe-tokens',
    text: `select folded, token from unsubscribe_token where folded = any($1)`,
    values: [wanted],
  });
  return new Map(rows.map(({ folded, token }) => [folded, token]));
}

/** The address (folded) of a token; undefined for an unknown one. */
export async function addressOfToken(db: Db, token: string): Promise<string | undefined> {
  const { rows } = await db.query<{ folded: string }>('select folded from unsubscribe_token where token = $1', [token]);
  return rows[0]?.folded;
}

export interface WaitingNotifications {
  readonly count: number;
  /** When the oldest was stored. */
  readonly oldest: Date | null;
}

/** Selects the one row of `WaitingNotifications`. */
export const waitingNotificationsQuery = `
  select count(*)::integer as count, min(instant) as oldest from notification where state = 'waiting'`;

/** Maximum number of notices that one statement removes. */
export const noticeBatchSize = 1_000;

/** Removes the oldest notices from before an instant with their notifications; returns how many notices. */
export async function removeNotices(db: Db, before: Date): Promise<number> {
  const { rows } = await db.query<{ removed: number }>({
    name: 'remove-notices',
    text: `with old as materialized (
             select id from notice where instant < $1 order by instant limit ${noticeBatchSize} for update skip locked
           ), removed as (delete from notice where id in (select id from old)),
           untold as (delete from notification where notice_id in (select id from old))
           select count(*)::integer as removed from old`,
    values: [before],
  });
  return rows[0]!.removed;
}
