import { ChangeAction, WriteOutcome } from '@cadastre/proto/objects';
import { CredentialKind, type Principal } from '@cadastre/proto/registry';
import { formatMessage } from '@cadastre/rpsl';
import { createMetrics } from '@cadastre/service';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { reportStorage } from '../src/report-use.js';
import { forgetStorageUse } from '../src/store/storage-use.js';
import { pem, pemFingerprint } from './example-certificate.js';
import { lookup, put, useContext } from './test-context.js';
import { alice, edited, mntner, person, principal, startRegistry, submitted, writerOf } from './write-context.js';

const storageQuota = {
  perDay: 20_000,
  perMntner: 30_000,
  overrides: new Map([
    ['account:bob@example.net', 50_000],
    ['mntner:wide-mnt', Infinity],
    ['mntner:narrow-mnt', 3_000],
  ]),
};
const setup = useContext({ storageQuota });
const today = new Date('2026-01-01T00:00:00Z');
const tomorrow = new Date('2026-01-02T00:00:00Z');
afterEach(() => setup.clock.set(today));

/** An account that may act for all mntners of the tests except bob's; it has stored nothing. */
const account = (id: string): Principal => ({ ...alice, accountId: id });
const bob = principal('bob@example.net');
/** Holds a certificate and has no account. */
const holder: Principal = {
  ...principal(''),
  credentials: [CredentialKind.CREDENTIAL_KIND_CLIENT_CERTIFICATE],
  keyFingerprints: [pemFingerprint],
};
const keyCert = `key-cert: X509-1\ncertif:${pem.split('\n').join('\ncertif:')}\nmnt-by: FIRST-MNT\nsource: TEST\n`;

beforeAll(async () => {
  await startRegistry(setup.context);
  await put(setup.context, keyCert);
  const maintainers = {
    'FIRST-MNT': 'SSO alice@example.net',
    'TOTAL-MNT': 'SSO alice@example.net',
    'WIDE-MNT': 'SSO alice@example.net',
    'NARROW-MNT': 'SSO alice@example.net',
    'GROUP-MNT': 'SSO alice@example.net',
    'BOB-MNT': 'SSO bob@example.net',
    'CERT-MNT': 'X509-1',
  };
  for (const [name, auth] of Object.entries(maintainers)) {
    await put(setup.context, edited(mntner, { mntner: name, 'mnt-by': name, auth }));
  }
});

const client = () => writerOf(setup.context).client;

/** A person with this many bytes of remarks. */
const text = (handle: string, maintainer: string, bytes = 1) =>
  edited(person, { 'nic-hdl': handle, 'mnt-by': maintainer, remarks: 'x'.repeat(bytes) });

async function create(object: string, by: Principal, { clientAddress = '192.0.2.1', dryRun = false } = {}) {
  const options = { principal: by, dryRun, clientAddress };
  const request = { source: 'TEST', type: 'person', object: submitted(object), options };
  const { result, storageToday } = await client().createObject(request);
  return {
    outcome: WriteOutcome[result!.outcome].replace('WRITE_OUTCOME_', ''),
    errors: result!.messages.filter(({ severity }) => severity === 1).map(formatMessage),
    bytes: result!.object!.text.length,
    storageToday,
  };
}

async function usedToday(by: Principal | undefined, clientAddress = '192.0.2.1'): Promise<number> {
  const { today } = await client().getStorageUse({ principal: by, clientAddress, mntners: [] });
  return Number(today!.used);
}

async function usedBy(name: string): Promise<number> {
  const { mntners } = await client().getStorageUse({ clientAddress: '', mntners: [name] });
  return Number(mntners[name]!.used);
}

test('creates and updates count the bytes of the new text; everything else counts nothing', async () => {
  const by = account('counted');
  const key = { source: 'TEST', type: 'person', key: 'CN1-TEST' };
  const options = { principal: by, dryRun: false };
  const changed = submitted(text('CN1-TEST', 'FIRST-MNT', 500));
  const used: number[] = [];
  const after = async <T>(work: Promise<T>): Promise<T> => {
    const done = await work;
    used.push(await usedToday(by));
    return done;
  };
  const created = await after(create(text('CN1-TEST', 'FIRST-MNT'), by));
  const updated = await after(client().updateObject({ key, object: changed, options }));
  await after(client().updateObject({ key, object: changed, options }));
  await after(create(text('CN2-TEST', 'FIRST-MNT'), by, { dryRun: true }));
  await after(create(text('CN2-TEST', 'BOB-MNT'), by));
  const deleted = await after(client().deleteObject({ key, reason: '', options }));
  expect(WriteOutcome[deleted.result!.outcome]).toBe('WRITE_OUTCOME_DELETED');
  const both = created.bytes + updated.result!.object!.text.length;
  expect(used).toEqual([created.bytes, both, both, both, both, both]);
  expect(updated.storageToday).toEqual({ used: BigInt(both), limit: 20_000n, resets: tomorrow });
  expect(await usedBy('FIRST-MNT')).toBe(both);
});

test('an account that has stored as much as it may is refused until midnight UTC, dry runs too', async () => {
  const by = account('daily');
  expect(await create(text('DA1-TEST', 'WIDE-MNT', 19_000), by)).toMatchObject({ outcome: 'CREATED', errors: [] });
  const used = await usedToday(by);
  const refused = await create(text('DA2-TEST', 'WIDE-MNT', 2_000), by);
  const [needed] = /needs (\d+)/.exec(refused.errors[0]!)!.slice(1);
  expect(refused).toMatchObject({
    outcome: 'DAY_QUOTA',
    errors: [
      `alice@example.net may store 20000 bytes of objects in a day and has stored ${used}: this write needs ${needed}. The day ends at midnight UTC`,
    ],
    storageToday: { used: BigInt(used), limit: 20_000n, resets: tomorrow },
  });
  expect(Number(needed)).toBeGreaterThan(2_000);
  expect((await create(text('DA2-TEST', 'WIDE-MNT', 2_000), by, { dryRun: true })).outcome).toBe('DAY_QUOTA');
  expect([await usedToday(by), await lookup(setup.context, 'person', 'DA2-TEST')]).toEqual([used, undefined]);
  // What still fits, and what others store.
  expect((await create(text('DA3-TEST', 'WIDE-MNT'), by)).outcome).toBe('CREATED');
  expect((await create(text('DA4-TEST', 'WIDE-MNT', 2_000), account('other'))).outcome).toBe('CREATED');
  setup.clock.set(tomorrow);
  expect((await create(text('DA2-TEST', 'WIDE-MNT', 2_000), by)).outcome).toBe('CREATED');
  expect(await usedToday(by)).toBeLessThan(3_000);
});

test('versions count for the mntner, over all accounts and days, also when the objects are gone', async () => {
  const key = { source: 'TEST', type: 'person', key: 'TO1-TEST' };
  const outcomes: string[] = [];
  const write = async (n: number) => {
    const options = { principal: account(`total-${n}`), dryRun: false };
    const object = submitted(edited(text('TO1-TEST', 'TOTAL-MNT', 9_000), { 'fax-no': `+31 20 ${n}` }));
    const { result } =
      n === 0
        ? await client().createObject({ source: 'TEST', type: 'person', object, options })
        : await client().updateObject({ key, object, options });
    outcomes.push(WriteOutcome[result!.outcome].replace('WRITE_OUTCOME_', ''));
    return result!.messages.map(formatMessage);
  };
  for (const n of [0, 1, 2]) await write(n);
  setup.clock.set(tomorrow);
  const used = await usedBy('TOTAL-MNT');
  expect((await write(3)).join()).toContain(
    `TOTAL-MNT may store 30000 bytes of objects with their history and has stored ${used}: `,
  );
  const by = { principal: account('total-4'), dryRun: false };
  const { result } = await client().deleteObject({ key, reason: '', options: by });
  expect(WriteOutcome[result!.outcome]).toBe('WRITE_OUTCOME_DELETED');
  expect((await create(text('TO2-TEST', 'TOTAL-MNT', 9_000), account('total-5'))).outcome).toBe('MNTNER_QUOTA');
  expect(outcomes).toEqual(['CREATED', 'MODIFIED', 'MODIFIED', 'MNTNER_QUOTA']);
  expect(await usedBy('TOTAL-MNT')).toBe(used);
});

test('nobody uses up what another mntner may store: the one pays that authorised', async () => {
  const by = account('stranger');
  const { outcome, bytes } = await create(text('ST1-TEST', 'BOB-MNT, CERT-MNT, GROUP-MNT'), by);
  expect(outcome).toBe('CREATED');
  expect(await Promise.all(['BOB-MNT', 'CERT-MNT', 'GROUP-MNT'].map(usedBy))).toEqual([0, 0, bytes]);
  const object = submitted(text('ST1-TEST', 'GROUP-MNT, BOB-MNT', 50));
  const key = { source: 'TEST', type: 'person', key: 'ST1-TEST' };
  const updated = await client().updateObject({ key, object, options: { principal: bob, dryRun: false } });
  const more = updated.result!.object!.text.length;
  expect(await Promise.all(['BOB-MNT', 'CERT-MNT', 'GROUP-MNT'].map(usedBy))).toEqual([more, 0, bytes]);
});

test('without an account the address counts, of IPv6 the /64', async () => {
  const [first, sameNetwork, other] = ['2001:db8:7:1::1', '2001:db8:7:1:ffff::2', '2001:db8:7:2::1'];
  const { outcome, bytes } = await create(text('AD1-TEST', 'CERT-MNT', 15_000), holder, { clientAddress: first });
  expect(outcome).toBe('CREATED');
  expect([await usedToday(undefined, sameNetwork), await usedToday(undefined, other)]).toEqual([bytes, 0]);
  const more = text('AD2-TEST', 'CERT-MNT', 6_000);
  const refused = await create(more, holder, { clientAddress: sameNetwork });
  expect([refused.outcome, refused.errors[0]]).toEqual([
    'DAY_QUOTA',
    expect.stringContaining(`${sameNetwork} may store`),
  ]);
  expect((await create(more, holder, { clientAddress: other })).outcome).toBe('CREATED');
});

test('the changes of a group count together, and nothing is stored when one is too many', async () => {
  const by = account('group');
  const apply = (...texts: string[]) =>
    client().applyChanges({
      source: 'TEST',
      changes: texts.map((one) => ({
        action: ChangeAction.CHANGE_ACTION_CREATE,
        object: submitted(one),
        reason: '',
      })),
      options: { principal: by, dryRun: false },
    });
  const { results } = await apply(...['GR1-TEST', 'GR2-TEST'].map((handle) => text(handle, 'WIDE-MNT', 11_000)));
  expect(results.map(({ outcome }) => WriteOutcome[outcome])).toEqual([
    'WRITE_OUTCOME_SKIPPED',
    'WRITE_OUTCOME_DAY_QUOTA',
  ]);
  expect([await usedToday(by), await lookup(setup.context, 'person', 'GR1-TEST')]).toEqual([0, undefined]);
  const stored = await apply(...['GR1-TEST', 'GR2-TEST'].map((handle) => text(handle, 'WIDE-MNT', 4_000)));
  expect(await usedToday(by)).toBe(stored.results.reduce((sum, { object }) => sum + object!.text.length, 0));
});

test.each<[string, string, Principal, number, string]>([
  ['an account with more', 'BOB-MNT', bob, 25_000, 'CREATED'],
  ['a mntner with less', 'NARROW-MNT', account('narrow'), 4_000, 'MNTNER_QUOTA'],
  ['the operator, for whom nothing counts', 'EXAMPLE-MNT', account('operator'), 45_000, 'CREATED'],
])('exceptions: %s', async (_, maintainer, by, bytes, outcome) => {
  const handle = `EX${maintainer.charCodeAt(0)}-TEST`;
  expect((await create(text(handle, maintainer, bytes), by)).outcome).toBe(outcome);
});

test('nothing is counted for whom there is no limit', async () => {
  const { mntners } = await client().getStorageUse({ clientAddress: '', mntners: ['WIDE-MNT', 'FIRST-MNT'] });
  expect(Object.keys(mntners)).toEqual(['FIRST-MNT']);
});

test('the metric has how many mntners are near their limit', async () => {
  const metrics = createMetrics('objects');
  reportStorage(metrics, setup.context);
  // TOTAL-MNT and BOB-MNT, by the tests above; the others are further from their limits.
  await expect.poll(() => metrics.getSingleMetricAsString('cadastre_storage_mntners_near_limit')).toMatch(/ 2$/m);
});

test('concurrent writes lose no count', async () => {
  const by = account('concurrent');
  const handles = Array.from({ length: 10 }, (_, n) => `CO${n + 1}-TEST`);
  const written = await Promise.all(handles.map((handle) => create(text(handle, 'WIDE-MNT'), by)));
  expect(written.map(({ outcome }) => outcome)).toEqual(handles.map(() => 'CREATED'));
  expect(await usedToday(by)).toBe(written.reduce((sum, { bytes }) => sum + bytes, 0));
});

test('days that have passed are forgotten, and what mntners have stored in all is kept', async () => {
  const by = account('forgotten');
  await create(text('FO1-TEST', 'FIRST-MNT'), by);
  const [inDay, inAll] = [await usedToday(by), await usedBy('FIRST-MNT')];
  const { writePool, clock } = setup.context;
  expect(await forgetStorageUse(writePool, clock())).toBe(0);
  expect(await usedToday(by)).toBe(inDay);
  expect(await forgetStorageUse(writePool, tomorrow)).toBeGreaterThan(0);
  expect([await usedToday(by), await usedBy('FIRST-MNT')]).toEqual([0, inAll]);
});
