import { type ClaimedNotification, contents, digestSize, type StoredNotification } from './notices.js';
import type { Db } from './stored-object.js';

const hourMs = 60 * 60 * 1000;
/** Mails that an address gets within an hour, one for each notification. */
const mailsAnHour = 20;
/** So long the next one waits for others to go with it. */
const digestMs = 15 * 60 * 1000;
/** Notifications that one statement holds back. */
const heldAtOnce = 1_000;
/** Notifications of a digest that a mail shows. */
const shownParts = 500;

/** How many mails an address (folded) got. */
interface Pace {
  readonly folded: string;
  /** When it got the last ones. */
  readonly recent: readonly Date[];
  readonly digest: bigint | null;
  /** Whether others may still join the digest. */
  readonly isOpen: boolean;
}

/**
 * Of claimed notifications, those that go now. Those of an address that got 20 mails within an hour are given back: the
 * first becomes a digest, which is due in 15 minutes, and the others go with it. Once a digest was claimed nothing joins
 * it. Locks the paces of the addresses, so that claims agree; needs the transaction of the claim.
 */
export async function withinPace(
  db: Db,
  claimed: readonly ClaimedNotification[],
  now: Date,
): Promise<ClaimedNotification[]> {
  const isNew = (one: ClaimedNotification) => one.attempts === 1 && !one.isDigest;
  const first = claimed.filter(({ attempts }) => attempts === 1);
  if (first.length === 0) return [...claimed];
  const held = new Set<bigint>();
  const paces: Omit<Pace, 'isOpen'>[] = [];
  for (const { folded, recent, digest, isOpen } of await lockPaces(db, first, now)) {
    const own = first.filter((one) => one.folded === folded);
    const isDue = own.some(({ id }) => id === digest);
    let waiting = isOpen && !isDue ? digest : null;
    const times = recent.filter((time) => time.getTime() > now.getTime() - hourMs);
    for (const { id } of own.filter((one) => isNew(one) && one.id !== digest)) {
      if (times.length < mailsAnHour) times.push(now);
      else {
        held.add(id);
        waiting ??= id;
      }
    }
    paces.push({ folded, recent: times, digest: waiting });
  }
  await storePaces(db, paces);
  if (held.size > 0) await holdBack(db, held, paces, now);
  return claimed.filter(({ id }) => !held.has(id));
}

async function lockPaces(db: Db, claimed: readonly ClaimedNotification[], now: Date): Promise<Pace[]> {
  const addresses = [...new Set(claimed.map(({ folded }) => folded))].sort();
  const { rows } = await db.query<Pace>({
    name: 'lock-paces',
    text: `with locked as (
             insert into mail_pace (folded, recent, changed) select unnest($1::text[]), '{}', $2
             on conflict (folded) do update set changed = excluded.changed
             returning folded, recent, digest
           )
           select l.folded, l.recent, l.digest, n.id is not null as "isOpen" from locked l
           left join notification n on n.id = l.digest and n.state = 'waiting' and n.attempts = 0`,
    values: [addresses, now],
  });
  return rows;
}

async function storePaces(db: Db, paces: readonly Omit<Pace, 'isOpen'>[]): Promise<void> {
  await db.query({
    name: 'store-paces',
    text: `update mail_pace p set recent = s.recent, digest = s.digest
           from jsonb_to_recordset($1::jsonb) as s (folded text, recent timestamptz[], digest bigint)
           where p.folded = s.folded collate "C"`,
    values: [JSON.stringify(paces.map(({ digest, ...pace }) => ({ ...pace, digest: digest && String(digest) })))],
  });
}

/** Gives back what is held, and lets it join the digests, with others that wait for these addresses. */
async function holdBack(
  db: Db,
  held: ReadonlySet<bigint>,
  paces: readonly Omit<Pace, 'isOpen'>[],
  now: Date,
): Promise<void> {
  const digests = paces.filter(({ digest }) => digest !== null);
  const isDigest = new Set(digests.map(({ digest }) => digest));
  const later = new Date(now.getTime() + digestMs);
  await db.query({
    name: 'give-back',
    text: `update notification n set due = h.due, attempts = 0
           from unnest($1::bigint[], $2::timestamptz[]) as h (id, due) where n.id = h.id`,
    values: [[...held], [...held].map((id) => (isDigest.has(id) ? later : now))],
  });
  await db.query({
    name: 'join-digests',
    text: `with waiting as materialized (
             select n.id, d.digest from notification n
             join unnest($1::text[], $2::bigint[]) as d (folded, digest) on n.folded = d.folded collate "C"
             where n.state = 'waiting' and n.due <= $3 and n.attempts = 0
               and n.id <> d.digest and not exists (select from digest_part p where p.digest = n.id)
             limit ${heldAtOnce} for update of n skip locked
           ), joined as (
             update notification n set due = 'infinity' from waiting w where n.id = w.id
           )
           insert into digest_part (part, digest) select id, digest from waiting`,
    values: [digests.map(({ folded }) => folded), digests.map(({ digest }) => digest), now],
  });
}

/** What goes with a notification. */
export interface StoredDigest {
  /** The first ones, within bounds, in the order of their ids. */
  readonly notifications: readonly StoredNotification[];
  /** Number of the others. */
  readonly more: number;
}

/** What goes with these notifications, by their ids; nothing for those that go alone. */
export async function loadDigests(db: Db, ids: readonly bigint[]): Promise<Map<bigint, StoredDigest>> {
  const { rows: counts } = await db.query<{ digest: bigint; parts: number }>({
    name: 'count-digests',
    text: 'select digest, count(*)::integer as parts from digest_part where digest = any($1) group by digest',
    values: [ids],
  });
  if (counts.length === 0) return new Map();
  const { rows } = await db.query<StoredNotification & { leader: bigint }>({
    name: 'load-digests',
    text: `select d.digest as leader, ${contents} from (
             select p.digest, p.part, row_number() over parts as place, sum(o.size) over parts as size
             from digest_part p join notification n on n.id = p.part join notice o on o.id = n.notice_id
             where p.digest = any($1) window parts as (partition by p.digest order by p.part)
           ) d join notification n on n.id = d.part join notice o on o.id = n.notice_id
           where d.place <= ${shownParts} and d.size <= ${digestSize} order by n.id`,
    values: [ids],
  });
  const shown = Map.groupBy(rows, ({ leader }) => leader);
  return new Map(
    counts.map(({ digest, parts }) => {
      const notifications = shown.get(digest) ?? [];
      return [digest, { notifications, more: parts - notifications.length }];
    }),
  );
}

/** Forgets the paces of addresses that got no mail for a day. */
export async function forgetPaces(db: Db, now: Date): Promise<void> {
  await db.query({
    name: 'forget-paces',
    text: `delete from mail_pace where changed < $1::timestamptz - interval '1 day'`,
    values: [now],
  });
}
