import type { QueryConfig } from 'pg';
import { type WebhookProperties, webhookBounds } from '../domain/webhooks.js';
import type { Db } from './stored-object.js';

export type WebhookState = 'unconfirmed' | 'active' | 'disabled';

/** A webhook as it is stored. */
export interface StoredWebhook extends WebhookProperties {
  readonly id: string;
  readonly accountId: string;
  readonly accountName: string;
  readonly sourceId: number;
  readonly state: WebhookState;
  readonly reason: string;
  readonly created: Date;
  /** Number of its secret. */
  readonly secret: number;
  readonly rotated: Date | null;
  readonly serial: bigint;
  readonly failures: number;
  readonly failingSince: Date | null;
  readonly due: Date;
  readonly claim: number;
  readonly requested: readonly bigint[];
  readonly tellOwner: boolean;
  readonly askedTo: bigint;
}

/** One attempt to deliver an event. */
export interface StoredAttempt {
  readonly id: bigint;
  readonly eventId: string;
  readonly serial: bigint;
  readonly instant: Date;
  readonly status: number;
  readonly durationMs: number;
  readonly error: string;
  readonly response: string;
}

/** Selects a webhook; an empty account: of any account. */
export interface WebhookName {
  readonly id: string;
  readonly accountId: string;
}

const columns = `w.id, w.account_id as "accountId", w.account_name as "accountName", w.source_id as "sourceId", w.url,
  w.description, w.filter, w.payload, w.signature, w.state, w.reason, w.created, w.secret, w.rotated, w.serial,
  w.failures, w.failing_since as "failingSince", w.due, w.claim, w.requested::text[] as requested,
  w.tell_owner as "tellOwner", w.asked_to as "askedTo"`;
const named = `w.id = $1 and ($2 = '' or w.account_id = $2)`;

/** The reason of a webhook that the operator has disabled: its account can neither change nor delete it. */
export const byOperator = 'The operator has disabled it.';
const mayChange = `${named} and ($2 = '' or w.reason <> '${byOperator}')`;

/** The webhooks that a statement returns with these columns. */
async function webhooks(db: Db, query: QueryConfig): Promise<StoredWebhook[]> {
  const { rows } = await db.query<Omit<StoredWebhook, 'requested'> & { readonly requested: readonly string[] }>(query);
  return rows.map((row) => ({ ...row, requested: row.requested.map(BigInt) }));
}

/** Stores a webhook that begins after the newest change of its source. False when the account has too many. */
export async function insertWebhook(
  db: Db,
  webhook: WebhookProperties &
    Pick<StoredWebhook, 'id' | 'accountId' | 'accountName' | 'sourceId' | 'state' | 'reason'>,
  now: Date,
): Promise<boolean> {
  const { id, accountId, accountName, sourceId, url, description, filter } = webhook;
  const { payload, signature, state, reason } = webhook;
  await db.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`webhooks of ${accountId}`]);
  const { rowCount } = await db.query(
    `insert into webhook (id, account_id, account_name, source_id, url, description, filter, payload, signature, state,
       reason, created, due, serial)
     select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $12, s.serial from source s
     where s.id = $4 and (select count(*) from webhook where account_id = $2) < ${webhookBounds.perAccount}`,
    [id, accountId, accountName, sourceId, url, description, filter, payload, signature, state, reason, now],
  );
  return rowCount === 1;
}

/** The webhooks of an account, oldest first. */
export async function webhooksOf(db: Db, accountId: string): Promise<StoredWebhook[]> {
  return webhooks(db, {
    text: `select ${columns} from webhook w where w.account_id = $1 order by w.created, w.id`,
    values: [accountId],
  });
}

/** Webhooks of all accounts after an identifier, in the order of the identifiers. */
export async function webhooksAfter(db: Db, after: string, limit: number): Promise<StoredWebhook[]> {
  return webhooks(db, {
    text: `select ${columns} from webhook w where w.id > $1 order by w.id limit $2`,
    values: [after, limit],
  });
}

/** A webhook; undefined when the account has none with this name. */
export async function findWebhook(db: Db, { id, accountId }: WebhookName): Promise<StoredWebhook | undefined> {
  const [webhook] = await webhooks(db, {
    text: `select ${columns} from webhook w where ${named}`,
    values: [id, accountId],
  });
  return webhook;
}

/** Replaces the properties and the state, and ends a claim. */
export async function updateWebhook(
  db: Db,
  { id, accountId }: WebhookName,
  {
    url,
    description,
    filter,
    payload,
    state,
    reason,
    tellOwner,
  }: Omit<WebhookProperties, 'signature'> & Pick<StoredWebhook, 'state' | 'reason' | 'tellOwner'>,
  now: Date,
): Promise<StoredWebhook | undefined> {
  const [webhook] = await webhooks(db, {
    text: `update webhook w set url = $3, description = $4, filter = $5, payload = $6, state = $7, reason = $8, due = $9,
       tell_owner = $10, failures = 0, failing_since = null, claim = claim + 1
     where ${mayChange} returning ${columns}`,
    values: [id, accountId, url, description, filter, payload, state, reason, now, tellOwner],
  });
  return webhook;
}

/** Deletes a webhook with its attempts; false when there is none that may be deleted. */
export async function deleteWebhook(db: Db, { id, accountId }: WebhookName): Promise<boolean> {
  const { rowCount } = await db.query(`delete from webhook w where ${mayChange}`, [id, accountId]);
  return rowCount === 1;
}

/** Gives a webhook its next secret, and ends a claim. */
export async function rotateSecret(
  db: Db,
  { id, accountId }: WebhookName,
  now: Date,
): Promise<StoredWebhook | undefined> {
  const [webhook] = await webhooks(db, {
    text: `update webhook w set secret = secret + 1, rotated = $3, due = least(due, $3), claim = claim + 1
     where ${named} returning ${columns}`,
    values: [id, accountId, now],
  });
  return webhook;
}

/** Moves to a serial, to deliver all changes after it, and ends a claim. */
export async function moveWebhook(
  db: Db,
  { id, accountId }: WebhookName,
  { serial, newest }: { readonly serial: bigint; readonly newest: bigint },
  now: Date,
): Promise<void> {
  await db.query(
    `update webhook w set serial = $3, asked_to = $5, failures = 0, due = $4, claim = claim + 1 where ${named}`,
    [id, accountId, serial, now, newest],
  );
}

/** Requests one more delivery, and ends a claim. Undefined when there is no such webhook, or too many requests wait. */
export async function requestDelivery(
  db: Db,
  { id, accountId }: WebhookName,
  serial: bigint,
  now: Date,
): Promise<StoredWebhook | undefined> {
  const [webhook] = await webhooks(db, {
    text: `update webhook w set requested = array_append(array_remove(requested, $3::bigint), $3::bigint), due = $4,
       claim = claim + 1
     where ${named} and cardinality(array_remove(requested, $3::bigint)) < ${webhookBounds.requested}
     returning ${columns}`,
    values: [id, accountId, serial, now],
  });
  return webhook;
}

/** The newest attempts of a webhook, newest first. */
export async function attemptsOf(db: Db, id: string): Promise<StoredAttempt[]> {
  const { rows } = await db.query<StoredAttempt>(
    `select id, event_id as "eventId", serial, instant, status, duration_ms as "durationMs", error, response
     from webhook_attempt where webhook_id = $1 order by id desc limit ${webhookBounds.attempts}`,
    [id],
  );
  return rows;
}

/** Claims webhooks with something to deliver, the longest waiting first, until the end of the lease. */
export async function claimWebhooks(
  db: Db,
  { limit, now, leaseEnd }: { readonly limit: number; readonly now: Date; readonly leaseEnd: Date },
): Promise<StoredWebhook[]> {
  return webhooks(db, {
    name: 'claim-webhooks',
    text: `with free as materialized (
             select w.id from webhook w join source s on s.id = w.source_id
             where w.due <= $1 and (w.tell_owner or cardinality(w.requested) > 0 or w.state = 'unconfirmed'
               or (w.state = 'active' and w.serial <> s.serial))
             order by w.due limit $2 for update of w skip locked
           )
           update webhook w set due = $3, claim = w.claim + 1 from free where w.id = free.id
           returning ${columns}`,
    values: [now, limit, leaseEnd],
  });
}

/** The outcome of a claimed webhook. */
export interface WebhookSettlement {
  readonly id: string;
  readonly claim: number;
  readonly serial: bigint;
  readonly failures: number;
  readonly attempts: readonly Omit<StoredAttempt, 'id'>[];
  /** The requested delivery that was made. */
  readonly requested: bigint | undefined;
  readonly confirmed: boolean;
  /** When the webhook is due again; undefined while the claim continues. */
  readonly due: Date | undefined;
  readonly gone: boolean;
  readonly ownerTold: boolean;
}

/** Days of failures after which a webhook is disabled. */
const failingDays = 5;

/**
 * Settles claims and stores the attempts; returns the webhooks whose claims were valid. Disables webhooks whose
 * receiver refuses them permanently, or that have failed for five days.
 */
export async function settleWebhooks(
  db: Db,
  settlements: readonly WebhookSettlement[],
  now: Date,
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ id: string }>({
    name: 'settle-webhooks',
    text: `with settled as materialized (
             select * from jsonb_to_recordset($1::jsonb) as s (id text, claim integer, serial bigint, failures integer,
               requested bigint, confirmed boolean, due timestamptz, gone boolean, "ownerTold" boolean, attempts jsonb)
           ), tried as (
             select id, jsonb_array_length(attempts) as count,
               requested is null and attempts @> '[{"error": ""}]' as "isAccepted",
               requested is null and attempts <> '[]' and not attempts @> '[{"error": ""}]' as "isRefused"
             from settled
           ), changed as (
             update webhook w set
               serial = s.serial,
               failures = s.failures,
               failing_since = case when t."isRefused" then coalesce(w.failing_since, $2)
                 when not t."isAccepted" then w.failing_since end,
               requested = array_remove(w.requested, s.requested),
               due = coalesce(s.due, w.due),
               state = case when ended.reason <> '' then 'disabled'
                 when s.confirmed and w.state = 'unconfirmed' then 'active' else w.state end,
               reason = case when ended.reason <> '' then ended.reason else w.reason end,
               tell_owner = ended.reason <> '' or (w.tell_owner and not s."ownerTold")
             from settled s
             join tried t on t.id = s.id
             join webhook before on before.id = s.id collate "C"
             cross join lateral (select case
               when before.state = 'disabled' then ''
               when s.gone then 'The URL answered with status 410: it wants no more events.'
               when t."isRefused" and before.failing_since < $2::timestamptz - interval '${failingDays} days'
                 then 'Every attempt has failed for ${failingDays} days.'
               else '' end as reason) ended
             where w.id = before.id and w.claim = s.claim
             returning w.id, s.attempts, t.count
           ), forgotten as (
             delete from webhook_attempt a using changed c
             where c.count > 0 and a.webhook_id = c.id and a.id <= (
               select b.id from webhook_attempt b where b.webhook_id = c.id order by b.id desc
               offset ${webhookBounds.attempts} - c.count limit 1)
           ), stored as (
             insert into webhook_attempt (webhook_id, event_id, serial, instant, status, duration_ms, error, response)
             select c.id, a."eventId", a.serial, a.instant, a.status, a."durationMs", a.error, a.response
             from changed c, jsonb_to_recordset(c.attempts) as a ("eventId" text, serial bigint, instant timestamptz,
               status integer, "durationMs" integer, error text, response text)
           )
           select id from changed`,
    values: [JSON.stringify(settlements, (_name, value) => (typeof value === 'bigint' ? String(value) : value)), now],
  });
  return new Set(rows.map(({ id }) => id));
}

/** A row of `webhookStates`. */
export interface WebhookStates {
  readonly state: WebhookState;
  readonly count: number;
  /** Seconds for which one of them waits for a claim; 0 when none does. */
  readonly waiting: number;
}

/** The number of webhooks by state. */
export const webhookStates = `
  select w.state, count(*)::integer as count, greatest(0, coalesce(max(extract(epoch from now() - w.due)) filter (
      where w.state = 'unconfirmed' or (w.state = 'active' and w.serial <> s.serial)), 0))::float as waiting
  from webhook w join source s on s.id = w.source_id group by w.state`;
