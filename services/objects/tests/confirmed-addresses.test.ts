import {
  ChangeAction,
  EmailMarkServiceService,
  type Notification,
  NotificationServiceService,
  NotificationState,
} from '@cadastre/proto/objects';
import { CredentialKind, type Principal } from '@cadastre/proto/registry';
import { samples } from '@cadastre/rpsl';
import { inMemoryClient, testLogger } from '@cadastre/service/testing';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { defaultPolicy } from '../src/domain/policy.js';
import { noticeRemoval } from '../src/removal-rounds.js';
import { emailMarkHandlers } from '../src/rpc/email-marks.js';
import { notificationHandlers } from '../src/rpc/notifications.js';
import { pem, pemFingerprint } from './example-certificate.js';
import { inetnum, put, useContext } from './test-context.js';
import { alice, bob, edited, mntner, person, principal, startRegistry, submitted, writerOf } from './write-context.js';

const setup = useContext({ notifies: true });
const policy = { ...defaultPolicy, operatorMaintainers: ['EXAMPLE-MNT'] };
const writer = () => writerOf(setup.context);
/** Without the bound on addresses per day. */
const richWriter = () => writerOf(setup.context, { policy: { ...policy, newAddressesPerDay: 100_000 } });
const outbox = () => inMemoryClient(NotificationServiceService, notificationHandlers(setup.context));
const marks = () => inMemoryClient(EmailMarkServiceService, emailMarkHandlers(setup.context));
const { CHANGE_ACTION_CREATE: create } = ChangeAction;
const { NOTIFICATION_STATE_SENT: sent, NOTIFICATION_STATE_SKIPPED: skipped } = NotificationState;
const dayMs = 24 * 3_600_000;

beforeAll(async () => {
  await startRegistry(setup.context);
  const quiet = { 'mnt-nfy': undefined, notify: undefined };
  for (const [name, account] of [
    ['QUIET-MNT', 'alice'],
    ['OTHER-MNT', 'bob'],
  ] as const) {
    const auth = `SSO subject-of-${account}`;
    await put(setup.context, edited(mntner, { mntner: name, 'mnt-by': name, auth, ...quiet }));
  }
  const certificate = `certif: ${pem.trim().replaceAll('\n', '\ncertif: ')}`;
  await put(setup.context, `key-cert: X509-1\n${certificate}\nmnt-by: QUIET-MNT\nsource: TEST\n`);
  await put(setup.context, edited(mntner, { mntner: 'CERT-MNT', 'mnt-by': 'CERT-MNT', auth: 'X509-1', ...quiet }));
});
beforeEach(() =>
  setup.context.writePool.query('truncate notice, notification, mail_address, new_addresses, email_mark'),
);

let made = 0;
/** A person whose changes notify these addresses. */
function sendable(addresses: readonly string[], more: Record<string, string> = {}): string {
  const handle = `CA${++made}-TEST`;
  const text = edited(person, { 'nic-hdl': handle, 'mnt-by': 'QUIET-MNT', notify: undefined, ...more });
  return text.replace('source:', `${addresses.map((address) => `notify: ${address}\n`).join('')}source:`);
}

const numbered = (count: number, domain = 'example.net') =>
  Array.from({ length: count }, (_, at) => `n${at + 1}@${domain}`);

/** Claims until nothing is due; all claims are settled as sent. */
async function claimAll(limit = 0): Promise<Notification[]> {
  const all: Notification[] = [];
  for (;;) {
    const { notifications, more } = await outbox().claimNotifications({ limit, leaseSeconds: 3_600 });
    all.push(...notifications);
    const settlements = notifications.map(({ id, attempts: attempt }) => {
      return { id, attempt, state: sent, retrySeconds: 0, error: '' };
    });
    await outbox().settleNotifications({ settlements });
    if (!more) return all;
  }
}

const addressesOf = (notifications: readonly Notification[]) => notifications.map(({ address }) => address);
const reasons = async () => {
  const { notifications } = await outbox().listNotifications({ state: skipped, after: 0n, limit: 0 });
  return notifications.map(({ address, error }) => `${address}: ${error}`);
};

describe('an account cannot send texts to strangers', () => {
  test('a new address gets one mail without texts, and texts once it has confirmed', async () => {
    await writer().create(sendable(['Stranger@example.net'], { remarks: 'buy my goods' }));
    const [question, ...others] = await claimAll();
    expect(others).toEqual([]);
    expect(question).toMatchObject({ address: 'Stranger@example.net', confirms: true, changes: [] });
    await writer().create(sendable(['stranger@example.net']));
    expect(await claimAll()).toEqual([]);
    expect(await reasons()).toEqual(['stranger@example.net: the address is not confirmed']);
    for (const _ of [1, 2]) await outbox().confirm({ token: question!.unsubscribeToken });
    expect(await claimAll()).toEqual([]);
    await writer().create(sendable(['stranger@example.net']));
    const [reported] = await claimAll();
    expect([reported?.confirms, reported?.changes.length]).toEqual([false, 1]);
  });

  test('an address gets one question in 30 days, however many accounts name it', async () => {
    const names = async () => {
      await writer().create(sendable(['stranger@example.net']));
      await writer().create(sendable(['stranger@example.net'], { 'mnt-by': 'OTHER-MNT' }), bob);
      return (await claimAll()).map(({ confirms }) => confirms);
    };
    expect(await names()).toEqual([true]);
    setup.clock.advance(29 * dayMs);
    expect(await names()).toEqual([]);
    setup.clock.advance(dayMs);
    expect(await names()).toEqual([true]);
  });

  test('concurrent claims ask once', async () => {
    for (let at = 0; at < 8; at++) await writer().create(sendable(['stranger@example.net']));
    const claims = await Promise.all(
      Array.from({ length: 8 }, () => outbox().claimNotifications({ limit: 1, leaseSeconds: 60 })),
    );
    expect(claims.flatMap(({ notifications }) => notifications)).toHaveLength(1);
  });

  test('a question that failed goes again; if the address was confirmed meanwhile, it tells the changes', async () => {
    await writer().create(sendable(['stranger@example.net']));
    const claim = async () => (await outbox().claimNotifications({ limit: 0, leaseSeconds: 60 })).notifications;
    const [first] = await claim();
    setup.clock.advance(61_000);
    const [again] = await claim();
    expect([again?.id, again?.confirms]).toEqual([first!.id, true]);
    await outbox().confirm({ token: first!.unsubscribeToken });
    setup.clock.advance(61_000);
    const [last] = await claim();
    expect([last?.id, last?.confirms, last?.changes.length]).toEqual([first!.id, false, 1]);
  });

  test('who does not want the question never gets it again, unless they confirm', async () => {
    await writer().create(sendable(['stranger@example.net']));
    const [{ unsubscribeToken: token } = { unsubscribeToken: '' }] = await claimAll();
    await outbox().unsubscribe({ token });
    setup.clock.advance(100 * dayMs);
    await writer().create(sendable(['stranger@example.net']));
    expect(await claimAll()).toEqual([]);
    await outbox().confirm({ token });
    await writer().create(sendable(['stranger@example.net']));
    expect((await claimAll()).map(({ confirms }) => confirms)).toEqual([false]);
  });

  test('an operator confirms addresses; an account need not confirm its own', async () => {
    expect(await marks().confirmEmails({ addresses: ['Known@example.net', 'known@example.net'] })).toEqual({
      changed: 1,
    });
    await writer().create(sendable(['KNOWN@example.net', 'Alice@example.net', 'bob@example.net']));
    expect((await claimAll()).map(({ address, confirms }) => [address, confirms])).toEqual([
      ['KNOWN@example.net', false],
      ['Alice@example.net', false],
      ['bob@example.net', true],
    ]);
    await expect(marks().confirmEmails({ addresses: ['nobody'] })).rejects.toMatchObject({ kind: 'invalid' });
  });

  test.each(['', 'x', crypto.randomUUID()])('the token "%s" confirms nothing', async (token) => {
    await expect(outbox().confirm({ token })).rejects.toMatchObject({ kind: 'not-found' });
  });

  test.each([
    'root@localhost',
    'a@b',
    'x@[127.0.0.1]',
    'x@[192.0.2.1]',
    'x@192.0.2.1',
    'x@printer.local',
    'x@db.internal',
    'x@host.localhost',
  ])('%s is no address to send to', async (address) => {
    const { outcome } = await writer().create(sendable([address]));
    expect(outcome).toBe('CREATED');
    await setup.context.writePool.query(
      'insert into mail_address (folded, confirmed, changed) select folded, now(), now() from notification',
    );
    expect(await claimAll()).toEqual([]);
    expect(await reasons()).toEqual([`${address}: this is no e-mail address`]);
  });
});

describe('1,000 mails to strangers', () => {
  const refusal = (count: number, left: number) => ({
    kind: 'exhausted',
    messages: [expect.objectContaining({ args: [String(count), String(left), '50'] })],
  });

  test('an account names at most 50 new addresses on a day', async () => {
    await writer().create(sendable(numbered(40)));
    await expect(writer().create(sendable(numbered(20, 'example.org')))).rejects.toMatchObject(refusal(20, 10));
    // Refused addresses did not count, nor do addresses that the registry knows.
    const { outcome } = await writer().create(sendable([...numbered(40), ...numbered(10, 'example.org')]));
    expect(outcome).toBe('CREATED');
    await expect(writer().create(sendable(['one@example.com']))).rejects.toMatchObject(refusal(1, 0));
    expect((await writer().create(sendable(['one@example.com'], { 'mnt-by': 'OTHER-MNT' }), bob)).outcome).toBe(
      'CREATED',
    );
    setup.clock.advance(dayMs);
    expect((await writer().create(sendable(['two@example.com']))).outcome).toBe('CREATED');
  });

  test('in whatever attribute, and whatever the number of objects', async () => {
    const many = Array.from({ length: 100 }, (_, at) => [create, sendable([`m${at}@example.net`])] as const);
    await expect(writer().apply(many)).rejects.toMatchObject(refusal(100, 50));
    const attributes = ['notify', 'mnt-nfy', 'upd-to'].flatMap((name) =>
      numbered(17, `${name}.net`).map((to) => `${name}: ${to}\n`),
    );
    const names = mntner.replace(/^(?:notify|mnt-nfy|upd-to):.*\n/gm, '').replaceAll('EXAMPLE-MNT', 'LOUD-MNT');
    const loud = names
      .replace('source:', `${attributes.join('')}source:`)
      .replace(/^auth:.*$/m, 'auth: SSO alice@example.net');
    await expect(writer().create(loud)).rejects.toMatchObject(refusal(51, 50));
  });

  test.each<[string, Partial<Principal>, string, string]>([
    ['keys', { keyFingerprints: ['other'] }, '192.0.2.1', '192.0.2.1'],
    ['addresses of a /48', {}, '2001:db8:7:1::1', '2001:db8:7:ffff::1'],
  ])('with many %s and no account', async (_, other, first, second) => {
    const by: Principal = {
      ...principal(''),
      credentials: [CredentialKind.CREDENTIAL_KIND_CLIENT_CERTIFICATE],
      keyFingerprints: [pemFingerprint],
    };
    const name = (addresses: string[], who: Principal, clientAddress: string) => {
      const object = submitted(sendable(addresses, { 'mnt-by': 'CERT-MNT' }));
      const options = { principal: who, dryRun: false, clientAddress };
      return writer().client.createObject({ source: 'TEST', type: 'person', object, options });
    };
    await name(numbered(50), by, first);
    // The first key names the caller; the second one authorises.
    const keyFingerprints = [...(other.keyFingerprints ?? []), pemFingerprint];
    const again = name(['one@example.org'], { ...by, keyFingerprints }, second);
    await expect(again).rejects.toMatchObject(refusal(1, 0));
    await name(['one@example.org'], by, '198.51.100.1');
  });

  test('a dry run says so, and counts nothing', async () => {
    await expect(writer().create(sendable(numbered(51)), alice, true)).rejects.toMatchObject(refusal(51, 50));
    for (let round = 0; round < 3; round++) {
      expect((await writer().create(sendable(numbered(50)), alice, true)).outcome).toBe('CREATED');
    }
    expect((await writer().create(sendable(numbered(50)))).outcome).toBe('CREATED');
  });

  test('writes at the same time do not get around it', async () => {
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) => writer().create(sendable(numbered(10, `d${at}.net`)))),
    );
    const refused = results
      .filter(({ status }) => status === 'rejected')
      .map((one) => (one as PromiseRejectedResult).reason);
    expect(refused).toHaveLength(5);
    for (const reason of refused) expect(reason).toMatchObject({ kind: 'exhausted' });
    expect(new Set(addressesOf(await claimAll())).size).toBe(50);
  });

  test('addresses that are stored already do not count: the object can be changed', async () => {
    const text = sendable(numbered(60));
    await put(setup.context, text);
    const key = /nic-hdl: *(\S+)/.exec(text)![1]!;
    expect((await writer().update('person', key, `${text}remarks: changed\n`)).outcome).toBe('MODIFIED');
    expect(await claimAll()).toHaveLength(60);
  });

  test('addresses that nobody confirmed are forgotten after 30 days', async () => {
    await writer().create(sendable(['old@example.net', 'kept@example.net']));
    await marks().confirmEmails({ addresses: ['kept@example.net'] });
    setup.clock.advance(31 * dayMs);
    await writer().create(sendable(['new@example.net']));
    const removal = noticeRemoval({ context: setup.context, logger: testLogger(), roundMs: 1 });
    await removal.start();
    const known = async () =>
      (await setup.context.readPool.query('select folded from mail_address order by 1')).rows.map(
        ({ folded }) => folded,
      );
    await expect.poll(known).toEqual(['kept@example.net', 'new@example.net']);
    await removal.stop();
  });
});

describe('a change cannot be hidden', () => {
  const victim = () =>
    edited(mntner, {
      mntner: 'VICTIM-MNT',
      'mnt-by': 'VICTIM-MNT',
      auth: 'SSO subject-of-bob',
      'mnt-nfy': 'victim@example.net',
      notify: undefined,
    });
  const loud = (count: number) =>
    edited(mntner, { mntner: 'LOUD-MNT', 'mnt-by': 'LOUD-MNT', 'mnt-nfy': undefined, notify: undefined }).replace(
      'source:',
      `${numbered(count)
        .map((address) => `mnt-nfy: ${address}\n`)
        .join('')}source:`,
    );
  const shared = (more: Record<string, string> = {}) =>
    sendable([], more).replace('mnt-by:         QUIET-MNT', 'mnt-by: LOUD-MNT\nmnt-by: VICTIM-MNT');
  const keyOf = (text: string) => /nic-hdl: *(\S+)/.exec(text)![1]!;
  beforeEach(async () => {
    await put(setup.context, victim());
    await marks().confirmEmails({ addresses: [...numbered(150), 'victim@example.net'] });
  });

  test('a hundred notify of one’s own do not keep the mail from the other maintainer', async () => {
    await put(setup.context, loud(0));
    const own = Array.from({ length: 99 }, (_, at) => sendable(numbered(150).slice(at, at + 2)));
    const common = shared();
    for (const text of [...own, common]) await put(setup.context, text);
    const changes = [...own, common].map((text) => [ChangeAction.CHANGE_ACTION_DELETE, text] as const);
    expect((await writer().apply(changes)).every(({ outcome }) => outcome === 'DELETED')).toBe(true);
    const reported = (await claimAll()).find(({ address }) => address === 'victim@example.net');
    expect(reported?.changes.map(({ key }) => key)).toEqual([keyOf(common).toLowerCase()]);
  });

  test('nor do a hundred mnt-nfy of one’s own mntner, nor a hundred notify of the object', async () => {
    await put(setup.context, loud(150));
    const text = shared().replace(
      'source:',
      `${numbered(150)
        .map((to) => `notify: x${to}\n`)
        .join('')}source:`,
    );
    await put(setup.context, text);
    expect((await writer().update('person', keyOf(text), `${text}remarks: hidden?\n`)).outcome).toBe('MODIFIED');
    const reported = (await setup.context.readPool.query('select address from notification')).rows;
    expect(reported).toHaveLength(100);
    expect(reported).toContainEqual({ address: 'victim@example.net' });
  });

  test('a hundred mntners of one’s own do not keep the mail about a new route from the holder of its origin', async () => {
    const names = Array.from({ length: 99 }, (_, n) => `OWN${n + 1}-MNT`);
    for (const [n, name] of names.entries()) {
      await put(setup.context, edited(loud(0), { mntner: name, 'mnt-by': name, 'mnt-nfy': numbered(150)[n] }));
    }
    const network = inetnum('10.20.0.0 - 10.20.255.255').replaceAll('SB1-TEST', 'AE1-TEST');
    await put(setup.context, edited(network, { 'mnt-by': 'OWN1-MNT' }));
    const holder = { 'aut-num': 'AS64501', 'mnt-by': 'VICTIM-MNT', org: undefined, notify: 'victim@example.net' };
    await put(setup.context, edited(samples['aut-num'], holder));
    const unused = { pingable: undefined, holes: undefined, 'ping-hdl': undefined, 'member-of': undefined };
    const named = { route: '10.20.0.0/16', origin: 'AS64501', 'mnt-by': names.join(', '), notify: 'n100@example.net' };
    const { outcome } = await writer().create(edited(samples.route, { ...unused, ...named, org: undefined }));
    expect(outcome).toBe('CREATED');
    expect(addressesOf(await claimAll())).toContain('victim@example.net');
  });

  test('an object may not name more than 100; a stored one that does stays changeable', async () => {
    const wide = (count: number) => sendable(numbered(150).slice(0, count));
    const { outcome, messages } = await writer().create(wide(100));
    expect(outcome).toBe('INVALID');
    expect(messages).toEqual([
      'E The object names 101 addresses and objects that are told of its changes; at most 100 are allowed',
    ]);
    expect((await writer().create(wide(99))).outcome).toBe('CREATED');
    const text = wide(120);
    await put(setup.context, text);
    const update = (next: string) => writer().update('person', keyOf(text), next);
    expect((await update(text.replace('source:', 'notify: n121@example.net\nsource:'))).outcome).toBe('INVALID');
    expect((await update(`${text}remarks: changed\n`)).outcome).toBe('MODIFIED');
    expect((await update(text.replace(/notify: n1@.*\n/, ''))).outcome).toBe('MODIFIED');
    expect((await writer().remove('person', keyOf(text))).outcome).toBe('DELETED');
  });
});

test('10,000 mails of one account do not delay those of others', async () => {
  const addresses = numbered(99);
  const domains = Array.from({ length: 100 }, (_, at) => `d${at}.net`);
  const confirmed = [...domains.flatMap((domain) => numbered(99, domain)), ...addresses, 'friend@example.net'];
  for (let at = 0; at < confirmed.length; at += 1_000) {
    await marks().confirmEmails({ addresses: confirmed.slice(at, at + 1_000) });
  }
  await richWriter().apply(domains.map((domain) => [create, sendable(numbered(99, domain))] as const));
  const first = await outbox().claimNotifications({ limit: 0, leaseSeconds: 60 });
  expect(addressesOf(first.notifications)).not.toEqual([]);
  for (let at = 0; at < 5; at++) {
    await writer().create(sendable(['friend@example.net'], { 'mnt-by': 'OTHER-MNT', remarks: String(at) }), bob);
  }
  await richWriter().create(sendable(addresses));
  const { notifications } = await outbox().claimNotifications({ limit: 10, leaseSeconds: 60 });
  expect(addressesOf(notifications).filter((address) => address === 'friend@example.net')).toHaveLength(5);
  // The flood continues in its turns.
  expect(notifications).toHaveLength(10);
});
