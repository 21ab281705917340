import {
  EmailMark,
  EmailMarkServiceService,
  NotificationServiceService,
  NotificationState,
} from '@cadastre/proto/objects';
import { inMemoryClient, testLogger } from '@cadastre/service/testing';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { noticeRemoval } from '../src/removal-rounds.js';
import { emailMarkHandlers } from '../src/rpc/email-marks.js';
import { notificationHandlers } from '../src/rpc/notifications.js';
import { confirmNotified, put, useContext } from './test-context.js';
import { edited, mntner, person, startRegistry, writerOf } from './write-context.js';

const setup = useContext({ notifies: true });
const outbox = () => inMemoryClient(NotificationServiceService, notificationHandlers(setup.context));
const marks = () => inMemoryClient(EmailMarkServiceService, emailMarkHandlers(setup.context));
const { EMAIL_MARK_UNDELIVERABLE: undeliverable } = EmailMark;
const { NOTIFICATION_STATE_FAILED: failed, NOTIFICATION_STATE_SENT: sent } = NotificationState;
const dayMs = 24 * 3_600_000;
const address = 'noc@example.net';

beforeAll(async () => {
  await startRegistry(setup.context);
  await put(setup.context, edited(mntner, { mntner: 'QUIET-MNT', 'mnt-by': 'QUIET-MNT', 'mnt-nfy': undefined }));
});
beforeEach(async () => {
  await setup.context.writePool.query('truncate notice, notification, undelivered, email_mark');
});

let made = 0;
/** Writes an object that notifies the address, and claims the notification. */
async function claimOne(notify = address) {
  await writerOf(setup.context).create(
    edited(person, { 'nic-hdl': `UD${++made}-TEST`, 'mnt-by': 'QUIET-MNT', notify }),
  );
  await confirmNotified(setup.context);
  const { notifications } = await outbox().claimNotifications({ limit: 0, leaseSeconds: 60 });
  expect(notifications).toHaveLength(1);
  return notifications[0]!;
}

type What = 'refused' | 'refused otherwise' | 'accepted';

/** Settles a new notification with this outcome. */
async function happen(what: What): Promise<void> {
  const { id, attempts } = await claimOne();
  const isRefused = what.startsWith('refused');
  const settlement = { id, attempt: attempts, retrySeconds: 0, error: '', recipientRefused: what === 'refused' };
  await outbox().settleNotifications({ settlements: [{ ...settlement, state: isRefused ? failed : sent }] });
}

async function marked(): Promise<string[]> {
  return (await marks().listMarkedEmails({ mark: undeliverable, after: '', limit: 0 })).emails.map(
    (one) => one.address,
  );
}

test.each<[string, readonly (What | number)[], boolean]>([
  ['one refusal', ['refused'], false],
  ['refusals of one day', ['refused', 'refused', 'refused'], false],
  ['refusals of two days', ['refused', 1, 'refused'], true],
  ['refusals of two days that do not follow each other', ['refused', 25, 'refused'], true],
  ['refusals that are too far apart', ['refused', 31, 'refused'], false],
  ['refusals that are too far apart, then another one', ['refused', 31, 'refused', 1, 'refused'], true],
  ['an accepted mail between refusals', ['refused', 1, 'accepted', 1, 'refused'], false],
  ['other refusals', ['refused otherwise', 1, 'refused otherwise'], false],
])('%s', async (_what, events, expected) => {
  for (const event of events) {
    if (typeof event === 'number') setup.clock.advance(event * dayMs);
    else await happen(event);
  }
  expect(await marked()).toEqual(expected ? [address] : []);
});

test('an operator who removes the mark lets the address begin anew', async () => {
  for (const event of ['refused', 1, 'refused'] as const) {
    if (typeof event === 'number') setup.clock.advance(event * dayMs);
    else await happen(event);
  }
  await marks().unmarkEmails({ addresses: [address], mark: undeliverable });
  setup.clock.advance(dayMs);
  await happen('refused');
  expect(await marked()).toEqual([]);
});

test('a settlement that comes too late does not count', async () => {
  const { id } = await claimOne();
  const settlement = { id, attempt: 7, state: failed, retrySeconds: 0, error: '', recipientRefused: true };
  await outbox().settleNotifications({ settlements: [settlement] });
  expect((await setup.context.readPool.query('select * from undelivered')).rows).toEqual([]);
});

test('what is old is forgotten', async () => {
  await happen('refused');
  setup.clock.advance(61 * dayMs);
  const removal = noticeRemoval({ context: setup.context, logger: testLogger(), roundMs: 1 });
  await removal.start();
  const left = async () => (await setup.context.readPool.query('select 1 from undelivered')).rows.length;
  await expect.poll(left).toBe(0);
  await removal.stop();
});
