import { type Notification, NotificationServiceService, NotificationState } from '@cadastre/proto/objects';
import { createMetrics } from '@cadastre/service';
import { inMemoryClient } from '@cadastre/service/testing';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { reportWaitingNotifications } from '../src/outbox.js';
import { notificationHandlers } from '../src/rpc/notifications.js';
import { confirmNotified, put, useContext } from './test-context.js';
import { edited, mntner, person, startRegistry, writerOf } from './write-context.js';

const setup = useContext({ notifies: true });
const outbox = () => inMemoryClient(NotificationServiceService, notificationHandlers(setup.context));
const {
  NOTIFICATION_STATE_SENT: sent,
  NOTIFICATION_STATE_FAILED: failed,
  NOTIFICATION_STATE_WAITING: waiting,
} = NotificationState;
const minuteMs = 60_000;

beforeAll(async () => {
  await startRegistry(setup.context);
  await put(setup.context, edited(mntner, { mntner: 'QUIET-MNT', 'mnt-by': 'QUIET-MNT', 'mnt-nfy': undefined }));
});
beforeEach(async () => {
  await setup.context.writePool.query(
    'truncate notice, notification, digest_part, mail_pace, mail_address, new_addresses',
  );
});

let made = 0;
/** Writes so many objects that tell an address, each by its own request. */
async function write(count: number, notify = 'flood@example.net', more: Record<string, string> = {}): Promise<void> {
  for (let at = 0; at < count; at++) {
    const handle = { 'nic-hdl': `DG${++made}-TEST`, 'mnt-by': 'QUIET-MNT', notify, ...more };
    expect((await writerOf(setup.context).create(edited(person, handle))).outcome).toBe('CREATED');
  }
  await confirmNotified(setup.context);
}

/** Claims until nothing is due. */
async function claimAll(limit = 8): Promise<Notification[]> {
  const all: Notification[] = [];
  for (;;) {
    const { notifications, more } = await outbox().claimNotifications({ limit, leaseSeconds: 3_600 });
    all.push(...notifications);
    if (!more) return all;
  }
}

const settle = (one: Notification, state: NotificationState, retrySeconds = 0) =>
  outbox().settleNotifications({
    settlements: [{ id: one.id, attempt: one.attempts, state, retrySeconds, error: '' }],
  });
const listed = async (state = 0) => (await outbox().listNotifications({ state, after: 0n, limit: 0 })).notifications;
/** The notifications that a mail tells, the leading one first. */
const toldBy = ({ id, digest }: Notification) => [id, ...(digest?.notifications ?? []).map((one) => one.id)];

test('after 20 notifications within an hour, further ones go together every 15 minutes', async () => {
  await write(30);
  const first = await claimAll();
  expect(first.flatMap(toldBy)).toHaveLength(20);
  expect(await claimAll()).toEqual([]);
  await write(5);
  expect(await claimAll()).toEqual([]);
  setup.clock.advance(15 * minuteMs);
  const [digest, ...others] = await claimAll();
  expect(others).toEqual([]);
  expect(toldBy(digest!)).toHaveLength(15);
  const told = new Set([...first, digest!].flatMap(toldBy));
  expect(told.size).toBe(35);
  expect(digest!.digest!.notifications.every(({ changes }) => changes[0]?.textAfter.startsWith('person:'))).toBe(true);
  await write(1);
  expect(await claimAll()).toEqual([]);
  setup.clock.advance(15 * minuteMs);
  expect((await claimAll()).map(toldBy)).toHaveLength(1);
});

test('an hour later mails go alone again', async () => {
  await write(25);
  for (const one of await claimAll()) await settle(one, sent);
  setup.clock.advance(61 * minuteMs);
  await write(1);
  expect((await claimAll()).map((one) => toldBy(one).length)).toEqual([5, 1]);
});

test('a digest that failed is the same when it is claimed again', async () => {
  await write(23);
  await claimAll();
  setup.clock.advance(15 * minuteMs);
  const [digest] = await claimAll();
  await write(2);
  expect(await claimAll()).toEqual([]);
  await settle(digest!, waiting, 60);
  setup.clock.advance(minuteMs);
  const again = await claimAll();
  expect(again.map(toldBy)).toEqual([toldBy(digest!)]);
});

test('what goes together has one fate, also when an operator sends it again', async () => {
  await write(23);
  for (const one of await claimAll()) await settle(one, sent);
  setup.clock.advance(15 * minuteMs);
  const [digest] = await claimAll();
  await settle(digest!, failed);
  expect((await listed(failed)).map(({ id }) => id)).toEqual(toldBy(digest!));
  expect(await outbox().resendNotifications({ ids: toldBy(digest!).slice(1) })).toEqual({ changed: 1 });
  const [again] = await claimAll();
  expect(toldBy(again!)).toEqual(toldBy(digest!));
  await settle(again!, sent);
  expect(await listed(failed)).toEqual([]);
  expect(await listed(sent)).toHaveLength(23);
});

test('a flood does not delay the mails of others', async () => {
  await write(100);
  await write(3, 'other@example.net');
  const { readPool } = setup.context;
  const told: string[] = [];
  let claims = 0;
  for (; told.filter((address) => address.startsWith('other')).length < 3; claims++) {
    const { notifications } = await outbox().claimNotifications({ limit: 8, leaseSeconds: 3_600 });
    told.push(...notifications.map(({ address }) => address));
  }
  expect(told).toHaveLength(23);
  expect(claims).toBeLessThan(6);
  expect((await readPool.query('select count(*)::integer as parts from digest_part')).rows).toEqual([{ parts: 79 }]);
});

test('concurrent claims let each notification go once, and only 20 alone', async () => {
  await write(120);
  const claims = await Promise.all(Array.from({ length: 8 }, () => claimAll(5)));
  expect(claims.flat()).toHaveLength(20);
  setup.clock.advance(15 * minuteMs);
  const digests = (await Promise.all(Array.from({ length: 4 }, () => claimAll(5)))).flat();
  expect(digests).toHaveLength(1);
  const told = [...claims.flat(), ...digests].flatMap(toldBy);
  expect([told.length, new Set(told).size]).toEqual([120, 120]);
});

test('a digest shows at most a million characters, and the number of the others', async () => {
  await write(20);
  await claimAll();
  await write(8, 'flood@example.net', { remarks: 'x'.repeat(190_000) });
  await claimAll();
  setup.clock.advance(15 * minuteMs);
  const [digest] = await claimAll();
  expect([digest!.digest!.notifications.length, digest!.digest!.more]).toEqual([5, 2]);
});

test('what waits for a digest is not late', async () => {
  await write(22);
  for (const one of await claimAll()) await settle(one, sent);
  const { writePool } = setup.context;
  await writePool.query(`update notification set instant = instant - interval '1 hour',
    due = case when due < 'infinity' then now() + interval '10 minutes' else due end`);
  const metrics = createMetrics('objects');
  reportWaitingNotifications(metrics, setup.context);
  const value = async (name: string) => (await metrics.getSingleMetric(name)!.get()).values[0]?.value;
  await expect.poll(() => value('cadastre_notifications_waiting')).toBe(2);
  expect(await value('cadastre_notifications_oldest_seconds')).toBe(0);
});
