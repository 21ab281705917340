import { createHash } from 'node:crypto';
import {
  ChangeAction,
  EmailMark,
  EmailMarkServiceService,
  NotificationSection,
  NotificationServiceService,
  NotificationState,
} from '@cadastre/proto/objects';
import { CredentialKind, type Principal } from '@cadastre/proto/registry';
import { type ObjectTypeName, samples } from '@cadastre/rpsl';
import { createLogger, createMetrics } from '@cadastre/service';
import { inMemoryClient, testLogger } from '@cadastre/service/testing';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addressLog } from '../src/context.js';
import { noticeRemoval } from '../src/removal-rounds.js';
import { reportWaitingNotifications } from '../src/report-use.js';
import { emailMarkHandlers } from '../src/rpc/email-marks.js';
import { notificationHandlers } from '../src/rpc/notifications.js';
import { pem, pemFingerprint } from './example-certificate.js';
import { confirmNotified, inetnum, loadText, put, remove, tagsOf, useContext } from './test-context.js';
import { alice, bob, edited, mntner, person, principal, startRegistry, submitted, writerOf } from './write-context.js';

const setup = useContext({ notifies: true });
const writer = () => writerOf(setup.context);
const outbox = () => inMemoryClient(NotificationServiceService, notificationHandlers(setup.context));
const marks = () => inMemoryClient(EmailMarkServiceService, emailMarkHandlers(setup.context));
const { CHANGE_ACTION_CREATE: create, CHANGE_ACTION_UPDATE: update } = ChangeAction;
const {
  NOTIFICATION_STATE_SENT: sent,
  NOTIFICATION_STATE_WAITING: waiting,
  NOTIFICATION_STATE_SKIPPED: skipped,
} = NotificationState;
const hashOf = (address: string) => createHash('sha256').update(address).digest('hex').slice(0, 32);
const dayMs = 24 * 3_600_000;

/** Mntners with their own mailboxes; alice proves the first two, bob the third. */
beforeAll(async () => {
  await startRegistry(setup.context);
  for (const [name, account] of [
    ['ONE-MNT', 'alice'],
    ['TWO-MNT', 'alice'],
    ['BOB-MNT', 'bob'],
  ] as const) {
    const mail = name.slice(0, 3).toLowerCase();
    await put(
      setup.context,
      edited(mntner, {
        mntner: name,
        'mnt-by': name,
        auth: `SSO subject-of-${account}`,
        'mnt-nfy': `${mail}-changed@example.net`,
        'upd-to': `${mail}-refused@example.net`,
        notify: undefined,
      }),
    );
  }
  const objects = [
    organisation('ORG-AA1-TEST', 'org-a@example.net'),
    organisation('ORG-BB1-TEST', 'org-b@example.net'),
    irt('IRT-AA', 'irt-a@example.net'),
    irt('IRT-BB', 'irt-b@example.net'),
  ];
  for (const object of objects) await put(setup.context, object);
});
beforeEach(() => setup.context.writePool.query('truncate notice, notification, mail_address, new_addresses'));

/** Claims everything; each notification as "address: section operation type key, ...". */
async function claim(): Promise<string[]> {
  return (await claimed()).map(({ address, changes }) => {
    const reported = changes.map(({ section, operation, type, key }) => {
      const name = NotificationSection[section]!.replace('NOTIFICATION_SECTION_', '').toLowerCase();
      return `${name} ${['', 'create', 'modify', 'delete'][operation]} ${type} ${key}`;
    });
    return `${address}: ${reported.join(', ')}`;
  });
}

async function claimed(leaseSeconds = 3_600, limit = 0) {
  await confirmNotified(setup.context);
  return (await outbox().claimNotifications({ limit, leaseSeconds })).notifications;
}

const organisation = (key: string, refNfy: string) =>
  edited(samples.organisation, {
    organisation: key,
    'ref-nfy': refNfy,
    'mnt-by': 'ONE-MNT',
    'mnt-ref': 'ONE-MNT',
    'abuse-c': undefined,
    org: undefined,
  });

const irt = (name: string, irtNfy: string) =>
  `irt: ${name}\naddress: x\ne-mail: i@example.net\nauth: SSO subject-of-alice\nirt-nfy: ${irtNfy}\nadmin-c: AE1-TEST\ntech-c: AE1-TEST\nmnt-by: ONE-MNT\nsource: TEST\n`;

const one = (handle: string, more: Record<string, string | undefined> = {}) =>
  edited(person, { 'nic-hdl': handle, 'mnt-by': 'ONE-MNT', notify: undefined, ...more });
const changedOne = (handle: string, operation: string) =>
  `one-changed@example.net: changed ${operation} person ${handle.toLowerCase()}`;

describe('who is notified of a change', () => {
  test('notify of a new object, and mnt-nfy of its mntners', async () => {
    await writer().create(one('TA1-TEST', { notify: 'A@example.net' }));
    expect(await claim()).toEqual(['A@example.net: changed create person ta1-test', changedOne('TA1-TEST', 'create')]);
  });

  test('on changes, those that the stored object names', async () => {
    await writer().create(one('TB1-TEST', { notify: 'a@example.net' }));
    await claim();
    await writer().update('person', 'TB1-TEST', one('TB1-TEST', { notify: 'b@example.net', 'mnt-by': 'TWO-MNT' }));
    expect(await claim()).toEqual(['a@example.net: changed modify person tb1-test', changedOne('TB1-TEST', 'modify')]);
    await writer().remove('person', 'TB1-TEST', alice, false, 'no longer\nused');
    const [first, second] = await claimed();
    expect([first?.address, second?.address]).toEqual(['b@example.net', 'two-changed@example.net']);
    expect(first?.changes[0]).toMatchObject({ reason: 'no longer used', textAfter: '', revisionBefore: 2 });
    expect(first?.changes[0]?.textBefore).toContain('b@example.net');
  });

  test('nobody of an identical object, a dry run, an error and a bulk load', async () => {
    await writer().create(one('TC1-TEST'));
    await claim();
    await writer().update('person', 'TC1-TEST', one('TC1-TEST'));
    await writer().remove('person', 'TC1-TEST', alice, true);
    await writer().remove('person', 'TC1-TEST', bob, true);
    await writer().update('person', 'TC1-TEST', one('TC1-TEST', { 'mnt-by': 'NO-MNT' }));
    await writer().update('person', 'TC1-TEST', one('TC1-TEST', { phone: 'none' }));
    await loadText(setup.context, one('TC2-TEST', { notify: 'a@example.net' }));
    expect(await claim()).toEqual([]);
  });

  test('the origin of a new route', async () => {
    const net = edited(inetnum('10.20.0.0 - 10.20.255.255').replaceAll('SB1-TEST', 'AE1-TEST'), {
      'mnt-by': 'ONE-MNT',
    });
    await put(setup.context, net);
    const autNum = { 'mnt-by': 'TWO-MNT', notify: 'origin@example.net', org: undefined };
    await put(setup.context, edited(samples['aut-num'], { 'aut-num': 'AS64501', ...autNum }));
    const unused = { pingable: undefined, holes: undefined, 'ping-hdl': undefined, 'member-of': undefined };
    const route = { route: '10.20.0.0/16', origin: 'AS64501', 'mnt-by': 'ONE-MNT', notify: undefined, org: undefined };
    expect((await writer().create(edited(samples.route, { ...unused, ...route }))).outcome).toBe('CREATED');
    expect(await claim()).toEqual([
      'one-changed@example.net: changed create route 10.20.0.0/16as64501',
      'origin@example.net: referenced create route 10.20.0.0/16as64501',
    ]);
  });

  describe('whose organisation or irt is named newly, or no longer', () => {
    const [both, orgB, irtB] = [
      { org: 'ORG-AA1-TEST', 'mnt-irt': 'IRT-AA' },
      { org: 'ORG-BB1-TEST', 'mnt-irt': 'IRT-AA' },
      { org: 'ORG-AA1-TEST', 'mnt-irt': 'irt-bb' },
    ];
    const range = '10.40.0.0 - 10.40.0.255';
    const net = (references: Record<string, string>) =>
      edited(inetnum(range).replaceAll('SB1-TEST', 'AE1-TEST'), { 'mnt-by': 'ONE-MNT', ...references });
    const more = { ...both, remarks: 'the same references' };

    test.each<[string, Record<string, string> | undefined, Record<string, string> | undefined, string[]]>([
      ['by a new object', undefined, both, ['create org-a', 'create irt-a']],
      ['by a deleted object', both, undefined, ['delete org-a', 'delete irt-a']],
      ['added to an object', {}, both, ['modify org-a', 'modify irt-a']],
      ['removed from an object', both, {}, ['modify org-a', 'modify irt-a']],
      ['one organisation for another', both, orgB, ['modify org-a', 'modify org-b']],
      ['one irt for another', both, irtB, ['modify irt-a', 'modify irt-b']],
      ['neither', both, more, []],
    ])('%s', async (_what, before, after, reported) => {
      if (before !== undefined) await put(setup.context, net(before));
      const { outcome } =
        before === undefined
          ? await writer().create(net(after!))
          : after === undefined
            ? await writer().remove('inetnum', range)
            : await writer().update('inetnum', range, net(after));
      expect(outcome).not.toBe('UNAUTHORISED');
      if (after !== undefined) await remove(setup.context, 'inetnum', range);
      expect((await claim()).filter((one) => one.includes('referenced'))).toEqual(
        reported.map((one) => {
          const [operation, mailbox] = one.split(' ');
          return `${mailbox}@example.net: referenced ${operation} inetnum ${range}`;
        }),
      );
    });
  });

  test('one address once, in whatever letter case, with its sections in order', async () => {
    await put(setup.context, organisation('ORG-CC1-TEST', 'ONE-Changed@Example.net'));
    const changes = ['TD1-TEST', 'TD2-TEST'].map(
      (handle) => [create, one(handle, { org: 'ORG-CC1-TEST', notify: 'One-changed@example.NET' })] as const,
    );
    await writer().apply(changes);
    expect(await claim()).toEqual([
      'One-changed@example.NET: changed create person td1-test, changed create person td2-test, ' +
        'referenced create person td1-test, referenced create person td2-test',
    ]);
  });

  test('nobody of tags, and of copies of other registries', async () => {
    await put(setup.context, one('TT1-TEST', { notify: 'a@example.net' }));
    const keys = [{ source: 'TEST', type: 'person', key: 'TT1-TEST' }];
    expect((await tagsOf(setup.context).attachTag({ keys, tag: { id: 'unref', data: '1' } })).changed).toBe(1);
    const copy = one('TT2-TEST', { notify: 'a@example.net', source: 'EXAMPLE-GRS' });
    expect((await loadText(setup.context, copy, { source: 'EXAMPLE-GRS' })).summary?.created).toBe(1n);
    await writer().remove('person', 'TT1-TEST', bob);
    expect((await claim()).map((one) => one.split(': ')[1])).toEqual(['refused delete person tt1-test']);
  });

  test('nobody of what was written while notifications were off', async () => {
    const silent = writerOf({ ...setup.context, notices: undefined });
    expect((await silent.create(one('TU1-TEST'))).outcome).toBe('CREATED');
    expect((await silent.remove('person', 'TU1-TEST', bob)).outcome).toBe('UNAUTHORISED');
    await writer().create(one('TU2-TEST'));
    expect(await claim()).toEqual([changedOne('TU2-TEST', 'create')]);
  });

  test('the changes of one request together; none of them when one is refused', async () => {
    const changes = ['TE1-TEST', 'TE2-TEST', 'TE3-TEST'].map((handle) => [create, one(handle)] as const);
    await writer().apply(changes);
    expect(await claim()).toEqual([
      'one-changed@example.net: ' +
        ['te1', 'te2', 'te3'].map((name) => `changed create person ${name}-test`).join(', '),
    ]);
    await writer().apply([
      [update, one('TE1-TEST', { phone: '+31 20 555 0199' })],
      [create, one('TE4-TEST', { 'mnt-by': 'BOB-MNT' })],
    ]);
    expect(await claim()).toEqual(['bob-refused@example.net: refused create person te4-test']);
  });

  test('no values that are no addresses, and at most 100 addresses', async () => {
    const many = Array.from({ length: 150 }, (_, at) => `notify: many${at}@example.net\n`).join('');
    await put(setup.context, one('TF1-TEST').replace('source:', `notify: not an address\n${many}source:`));
    await writer().remove('person', 'TF1-TEST');
    const reported = await claim();
    expect(reported).toHaveLength(100);
    expect(reported.join()).not.toContain('not an address');
  });

  test('values that are no addresses are skipped and logged once, without the value', async () => {
    await put(setup.context, one('TF2-TEST').replace('source:', 'notify: noc@example\\net\nnotify: a b\nsource:'));
    await writer().remove('person', 'TF2-TEST');
    const lines: string[] = [];
    const logger = createLogger({
      service: 'objects',
      level: 'info',
      destination: { write: (line) => lines.push(line) },
    });
    const logged = inMemoryClient(
      NotificationServiceService,
      notificationHandlers({ ...setup.context, logAddress: addressLog(logger) }),
    );
    for (const _ of [1, 2]) {
      await logged.claimNotifications({ limit: 0, leaseSeconds: 1 });
      setup.clock.advance(2_000);
    }
    const listed = await outbox().listNotifications({ state: skipped, after: 0n, limit: 0 });
    expect(listed.notifications.map(({ address, error }) => [address, error])).toEqual([
      ['noc@example\\net', 'this is no e-mail address'],
      ['a b', 'this is no e-mail address'],
    ]);
    expect(lines.map((line) => JSON.parse(line).addressHash)).toEqual(['noc@example\\net', 'a b'].map(hashOf));
    expect(lines.join()).not.toMatch(/example|a b/);
  });

  test('the domain of an address that was stored before domains became punycode', async () => {
    await put(setup.context, one('TF3-TEST', { notify: 'noc@exämple.net' }));
    await writer().remove('person', 'TF3-TEST');
    expect((await claimed())[0]?.address).toBe('noc@xn--exmple-cua.net');
  });
});

describe('who is notified of a refusal', () => {
  test('upd-to of the stored object’s mntners, with what was wanted', async () => {
    await put(setup.context, one('TG1-TEST').replace('mnt-by:         ONE-MNT', 'mnt-by: ONE-MNT\nmnt-by: TWO-MNT'));
    await writer().update('person', 'TG1-TEST', one('TG1-TEST', { 'mnt-by': 'BOB-MNT' }), bob);
    const notifications = await claimed();
    expect(notifications.map(({ address }) => address)).toEqual(['one-refused@example.net', 'two-refused@example.net']);
    const [{ textBefore, textAfter } = { textBefore: '', textAfter: '' }] = notifications[0]!.changes;
    expect(textBefore).toContain('TWO-MNT');
    expect(textAfter).toContain('BOB-MNT');
  });

  test('upd-to of the mntners that a new object names', async () => {
    await writer().create(one('TH1-TEST'), bob);
    expect(await claim()).toEqual(['one-refused@example.net: refused create person th1-test']);
  });

  describe('the own mntners, not those of', () => {
    const net = edited(inetnum('10.30.0.0 - 10.30.255.255').replaceAll('SB1-TEST', 'AE1-TEST'), {
      'mnt-by': 'ONE-MNT',
    });
    const inside = edited(net, { inetnum: '10.30.0.0 - 10.30.0.255', 'mnt-by': 'BOB-MNT' });
    const bobs = (handle: string, more: Record<string, string> = {}) => one(handle, { 'mnt-by': 'BOB-MNT', ...more });

    test.each<[string, string, () => Promise<{ outcome: string }>]>([
      [
        'the parent that refused',
        'create inetnum 10.30.0.0 - 10.30.0.255',
        async () => {
          await put(setup.context, net);
          return writer().create(inside, bob);
        },
      ],
      [
        'an organisation that refused a new object',
        'create person tv1-test',
        () => writer().create(bobs('TV1-TEST', { org: 'ORG-AA1-TEST' }), bob),
      ],
      [
        'an organisation that refused a stored object',
        'modify person tv2-test',
        async () => {
          await put(setup.context, bobs('TV2-TEST'));
          return writer().update('person', 'TV2-TEST', bobs('TV2-TEST', { org: 'ORG-AA1-TEST' }), bob);
        },
      ],
      [
        'an irt that refused',
        'modify inetnum 10.30.1.0 - 10.30.1.255',
        async () => {
          const range = '10.30.1.0 - 10.30.1.255';
          await put(setup.context, edited(inside, { inetnum: range }));
          return writer().update('inetnum', range, edited(inside, { inetnum: range, 'mnt-irt': 'IRT-AA' }), bob);
        },
      ],
    ])('%s', async (_who, reported, change) => {
      setup.clock.advance(3_600_000);
      expect((await change()).outcome).toBe('UNAUTHORISED');
      expect(await claim()).toEqual([`bob-refused@example.net: refused ${reported}`]);
    });
  });

  test('nobody, when the caller shows no credentials', async () => {
    await put(setup.context, one('TI1-TEST'));
    await writer().remove('person', 'TI1-TEST', principal(''));
    expect(await claim()).toEqual([]);
  });

  test('nobody after ten refusals of a caller within an hour', async () => {
    await put(setup.context, one('TJ1-TEST'));
    for (let at = 0; at < 12; at++) await writer().remove('person', 'TJ1-TEST', bob);
    const stored = async () => (await outbox().listNotifications({ state: 0, after: 0n, limit: 0 })).notifications;
    expect(await stored()).toHaveLength(10);
    setup.clock.advance(3_600_000);
    await writer().remove('person', 'TJ1-TEST', bob);
    expect(await stored()).toHaveLength(11);
  });

  test('large wanted objects without their text', async () => {
    const remarks = `remarks: ${'x'.repeat(11_000)}\nsource:`;
    await writer().create(one('TK1-TEST').replace('source:', remarks), bob);
    expect((await claimed())[0]?.changes[0]).toMatchObject({ key: 'tk1-test', textBefore: '', textAfter: '' });
  });
});

describe('what a notification contains', () => {
  test('both states, without credentials, and who made the change', async () => {
    const by = { ...alice, credentials: [CredentialKind.CREDENTIAL_KIND_SESSION] };
    const own = edited(mntner, {
      mntner: 'TL-MNT',
      'mnt-by': 'TL-MNT',
      auth: 'SSO alice@example.net',
      notify: undefined,
    });
    await writer().create(own, by);
    await claim();
    await writer().update('mntner', 'TL-MNT', edited(own, { descr: 'Other words' }), by);
    const [first] = await claimed();
    expect(first).toMatchObject({ source: 'TEST', changedBy: 'alice@example.net', replyTo: 'alice@example.net' });
    expect(first?.changes[0]).toMatchObject({ revisionBefore: 1, revisionAfter: 2 });
    expect(first?.changes[0]?.textBefore).toContain('auth:           SSO # Filtered');
    expect(first?.changes[0]?.textAfter).toContain('Other words');
    const texts = first?.changes.map(({ textBefore, textAfter }) => textBefore + textAfter).join();
    expect(texts).not.toContain('subject-of');
  });

  test('the serial of each change, of deletions too, but not of refusals', async () => {
    await writer().create(one('SE1-TEST'));
    await writer().update('person', 'SE1-TEST', one('SE1-TEST', { phone: '+31 20 555 0197' }));
    const { serial } = await writer().remove('person', 'SE1-TEST');
    await writer().create(one('SE2-TEST'), bob);
    const reported = (await claimed()).map(({ changes }) => changes.map((change) => change.serial));
    expect(reported).toEqual([[serial - 2n], [serial - 1n], [serial], [undefined]]);
  });

  test('the address of the client', async () => {
    const options = { principal: alice, dryRun: false, clientAddress: '2001:db8::1' };
    await writer().client.createObject({
      source: 'TEST',
      type: 'person',
      object: submitted(one('CA1-TEST')),
      options,
    });
    await writer().create(one('TV2-TEST'));
    expect((await claimed()).map(({ clientAddress }) => clientAddress)).toEqual(['2001:db8::1', '']);
  });

  test.each<[ObjectTypeName, string, string]>([
    ['mntner', 'TX-MNT', edited(mntner, { mntner: 'TX-MNT', 'mnt-by': 'ONE-MNT', notify: undefined })],
    ['irt', 'IRT-TX', irt('IRT-TX', 'irt-x@example.net')],
  ])('never the credentials of a stored or wanted %s', async (type, key, text) => {
    const password = 'MD5-PW $1$abcdefgh$0123456789ABCDEFabcdef';
    await put(setup.context, edited(text, { auth: password, changed: 'x@example.net 20000101' }));
    await writer().update(type, key, edited(text, { auth: 'SSO bob@example.net' }), bob);
    await writer().update(type, key, edited(text, { auth: 'SSO bob@example.net' }));
    const texts = (await claimed()).flatMap(({ changes }) => changes);
    expect(texts.map(({ section }) => section).sort()).toContain(NotificationSection.NOTIFICATION_SECTION_REFUSED);
    for (const { textBefore, textAfter } of texts) {
      expect(textBefore).toMatch(/^auth: +MD5-PW # Filtered$/m);
      expect(textAfter).toMatch(/^auth: +SSO # Filtered$/m);
      expect(textBefore + textAfter).not.toMatch(/\$1\$|bob@|subject-of|^changed:/m);
    }
  });

  describe('who made the change:', () => {
    const certificate = `key-cert: X509-1\n${pem.replace(/^/gm, 'certif:')}\nmnt-by: ONE-MNT\nsource: TEST\n`;
    const pgp = edited(samples['key-cert'], { org: undefined, 'mnt-by': 'ONE-MNT' });
    beforeAll(async () => {
      const keys = edited(mntner, {
        mntner: 'KEY-MNT',
        'mnt-by': 'KEY-MNT',
        auth: 'X509-1\nauth: PGPKEY-48C3FC51\nauth: SSO subject-of-alice',
        notify: undefined,
      });
      for (const text of [certificate, pgp, keys]) await put(setup.context, text);
    });
    const {
      CREDENTIAL_KIND_SESSION: session,
      CREDENTIAL_KIND_BEARER_TOKEN: token,
      CREDENTIAL_KIND_CLIENT_CERTIFICATE: clientCertificate,
      CREDENTIAL_KIND_SIGNATURE: signature,
    } = CredentialKind;
    const [signed, nobody] = [['EA446DDC2D25AA426E6642E864045ED648C3FC51'], principal('')];

    test.each<[string, Partial<Principal>, string, string]>([
      ['a session', { ...alice, credentials: [session] }, 'alice@example.net', 'alice@example.net'],
      ['a bearer token', { ...alice, credentials: [token] }, 'alice@example.net (OAuth)', 'alice@example.net'],
      ['an API key', { ...alice, apiKeyId: '4711' }, 'alice@example.net (API key 4711)', ''],
      ['a signature', { credentials: [signature], keyFingerprints: signed }, 'PGPKEY-48C3FC51', ''],
      ['a certificate', { credentials: [clientCertificate], keyFingerprints: [pemFingerprint] }, 'X509-1', ''],
      [
        'a session and a signature',
        { ...alice, credentials: [session, signature], keyFingerprints: signed },
        'alice@example.net, PGPKEY-48C3FC51',
        'alice@example.net',
      ],
    ])('%s', async (_how, by, changedBy, replyTo) => {
      await put(setup.context, one('TM1-TEST', { 'mnt-by': 'KEY-MNT', notify: 'a@example.net' }));
      const { outcome } = await writer().remove('person', 'TM1-TEST', { ...nobody, ...by });
      expect(outcome).toBe('DELETED');
      expect((await claimed())[0]).toMatchObject({ changedBy, replyTo });
    });

    test('nobody is named by a key that proves nothing', async () => {
      await put(setup.context, one('TM2-TEST'));
      await writer().remove('person', 'TM2-TEST', { ...nobody, credentials: [signature], keyFingerprints: signed });
      expect((await claimed())[0]).toMatchObject({ changedBy: '', replyTo: '' });
    });
  });
});

describe('the outbox', () => {
  test('gives a notification to one claimant until its lease ends', async () => {
    await writer().create(one('TN1-TEST'));
    const [first] = await claimed(60);
    expect(first?.attempts).toBe(1);
    expect(await claimed(60)).toEqual([]);
    setup.clock.advance(61_000);
    const [second] = await claimed(60);
    expect([second?.id, second?.attempts]).toEqual([first?.id, 2]);
    const settle = (attempt: number) =>
      outbox().settleNotifications({
        settlements: [{ id: first!.id, attempt, state: sent, retrySeconds: 0, error: '' }],
      });
    expect(await settle(1)).toEqual({ changed: 0 });
    expect(await settle(2)).toEqual({ changed: 1 });
    setup.clock.advance(61_000);
    expect(await claimed()).toEqual([]);
  });

  test('keeps a claim that its claimant renews, unless the lease ended before', async () => {
    await writer().create(one('TW1-TEST'));
    const [first] = await claimed(60);
    const renew = () =>
      outbox().settleNotifications({
        settlements: [{ id: first!.id, attempt: 1, state: waiting, retrySeconds: 60, error: '' }],
      });
    for (let round = 0; round < 3; round++) {
      setup.clock.advance(50_000);
      expect(await renew()).toEqual({ changed: 1 });
      expect(await claimed(60)).toEqual([]);
    }
    setup.clock.advance(61_000);
    expect((await claimed(60)).map(({ attempts }) => attempts)).toEqual([2]);
    expect(await renew()).toEqual({ changed: 0 });
  });

  test('never gives one notification to two concurrent claimants', async () => {
    await writer().apply(
      Array.from({ length: 40 }, (_, at) => [create, one(`TO${at + 1}-TEST`, { notify: `to${at}@example.net` })]),
    );
    const claims = await Promise.all(Array.from({ length: 8 }, () => claimed(60, 7)));
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(41);
  });

  test('makes a notification due again when an attempt failed, and when an operator resends it', async () => {
    await writer().create(one('TP1-TEST'));
    const [first] = await claimed();
    const settlement = { id: first!.id, attempt: 1, error: '451 later' };
    await outbox().settleNotifications({ settlements: [{ ...settlement, state: waiting, retrySeconds: 600 }] });
    expect(await claimed()).toEqual([]);
    setup.clock.advance(600_000);
    const [again] = await claimed();
    expect(again).toMatchObject({ id: first!.id, attempts: 2, error: '451 later' });
    const failed = NotificationState.NOTIFICATION_STATE_FAILED;
    const last = { id: first!.id, attempt: 2, state: failed, retrySeconds: 0, error: '550 unknown' };
    await outbox().settleNotifications({ settlements: [last] });
    const dead = (await outbox().listNotifications({ state: failed, after: 0n, limit: 0 })).notifications;
    expect(dead.map(({ id, error, changes }) => [id, error, changes])).toEqual([[first!.id, '550 unknown', []]]);
    expect((await outbox().getNotification({ id: first!.id })).notification?.changes).toEqual(first!.changes);
    expect(await outbox().resendNotifications({ ids: [first!.id, 2n ** 40n] })).toEqual({ changed: 1 });
    expect((await claimed()).map(({ id, attempts }) => [id, attempts])).toEqual([[first!.id, 1]]);
  });

  test('skips addresses that are marked, also when the mark came after the write', async () => {
    await writer().create(one('TQ1-TEST', { notify: 'Gone@example.net' }));
    await marks().markEmails({ addresses: ['gone@example.net'], mark: EmailMark.EMAIL_MARK_UNDELIVERABLE });
    expect(await claim()).toEqual([changedOne('TQ1-TEST', 'create')]);
    const listed = await outbox().listNotifications({ state: skipped, after: 0n, limit: 0 });
    expect(listed.notifications.map(({ address }) => address)).toEqual(['Gone@example.net']);
  });

  test('lets the owner of an address unsubscribe by a token that stays valid', async () => {
    await writer().create(one('TR1-TEST', { notify: 'out@example.net' }));
    const token = (await claimed()).find(({ address }) => address === 'out@example.net')!.unsubscribeToken;
    for (const _ of [1, 2]) await outbox().unsubscribe({ token });
    const { messages } = await writer().update(
      'person',
      'TR1-TEST',
      one('TR1-TEST', { phone: '+31 20 555 0198', notify: 'out@example.net' }),
    );
    expect(messages).toEqual(['W Not sending notification to out@example.net because it is unsubscribe.']);
    expect(await claim()).toEqual([changedOne('TR1-TEST', 'modify')]);
    for (const wrong of ['', 'x', crypto.randomUUID()]) {
      await expect(outbox().unsubscribe({ token: wrong })).rejects.toMatchObject({ kind: 'not-found' });
    }
  });

  test('metrics tell how many notifications wait, and for how long', async () => {
    await writer().create(one('OM1-TEST', { notify: 'a@example.net' }));
    await setup.context.writePool.query("update notification set instant = instant - interval '1 hour'");
    const metrics = createMetrics('objects');
    reportWaitingNotifications(metrics, setup.context);
    const value = async (name: string) => (await metrics.getSingleMetric(name)!.get()).values[0]?.value;
    await expect.poll(() => value('cadastre_notifications_waiting')).toBe(2);
    expect(await value('cadastre_notifications_oldest_seconds')).toBeGreaterThanOrEqual(3600);
  });

  test('forgets notices after two weeks, sent or not', async () => {
    await writer().create(one('TS1-TEST'));
    setup.clock.advance(13 * dayMs);
    await writer().create(one('TS2-TEST'));
    setup.clock.advance(2 * dayMs);
    const removal = noticeRemoval({ context: setup.context, logger: testLogger(), roundMs: 1 });
    await removal.start();
    const all = async () => (await outbox().listNotifications({ state: 0, after: 0n, limit: 0 })).notifications;
    await expect.poll(async () => (await all()).length).toBe(1);
    await removal.stop();
    expect(await claim()).toEqual([changedOne('TS2-TEST', 'create')]);
  });
});
