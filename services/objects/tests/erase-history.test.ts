import { HistoryServiceService, LookupStatus } from '@cadastre/proto/objects';
import { View } from '@cadastre/proto/registry';
import { inMemoryClient } from '@cadastre/service/testing';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { historyHandlers } from '../src/rpc/index.js';
import { currentSerial } from '../src/store/serials.js';
import { feedOf, lookup, put, readerOf, useContext } from './test-context.js';
import { alice, bob, edited, mntner, person, startRegistry, writerOf } from './write-context.js';

const setup = useContext({ notifies: true });
const unreadable: string[] = [];
const context = () => ({ ...setup.context, countUnreadable: (_: string, type: string) => unreadable.push(type) });
const history = () => inMemoryClient(HistoryServiceService, historyHandlers(context()));
const reader = () => readerOf(context());
const writer = () => writerOf(context());
const keyOf = (handle: string) => ({ source: 'TEST', type: 'person', key: handle });
const secret = 'Secret Street';
const record = { lastRevision: 0, reason: 'asked for by the person', erasedBy: 'ann' };

const one = (handle: string, remark: string) =>
  edited(person, { 'nic-hdl': handle, 'mnt-by': 'ONE-MNT', notify: undefined, remarks: remark });

beforeAll(async () => {
  await startRegistry(setup.context);
  await put(
    setup.context,
    edited(mntner, {
      mntner: 'ONE-MNT',
      'mnt-by': 'ONE-MNT',
      auth: 'SSO subject-of-alice',
      'upd-to': 'refused@example.net',
    }),
  );
});
beforeEach(() => {
  unreadable.length = 0;
});

/** The tables of the database that contain a text. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await setup.context.readPool.query<{ place: string }>(
    `select 'object' as place from object where text like $1
     union all select 'version' from version where text like $1 or reason like $1
     union all select 'notice' from notice where changes::text like $1`,
    [`%${text}%`],
  );
  return rows.map(({ place }) => place).sort();
}

async function pastStatus(handle: string, serial: bigint): Promise<LookupStatus> {
  const lookups = [
    { key: keyOf(handle), moment: { point: { $case: 'serial' as const, value: serial } }, nearest: false },
  ];
  return (await reader().batchLookupPast({ lookups })).answers[0]!.status;
}

/** The texts of all changes of an object from the feed, oldest first. */
async function announced(handle: string): Promise<string[]> {
  const newest = await currentSerial(setup.context.readPool, setup.context.sources.main.id);
  const texts: string[] = [];
  const request = { source: 'TEST', afterSerial: 0n, keysOnly: false, fromNow: false, latestOnly: false };
  for await (const { changes, serial } of feedOf(context()).watch(request)) {
    for (const { object } of changes) if (object?.key.toUpperCase() === handle) texts.push(object.text);
    if (serial >= newest) break;
  }
  return texts;
}

test('an existing object loses the texts of its former versions, and the fact of them stays', async () => {
  await writer().create(one('ER1-TEST', secret));
  const created = await currentSerial(setup.context.readPool, setup.context.sources.main.id);
  await writer().update('person', 'ER1-TEST', one('ER1-TEST', 'now'));
  await writer().update('person', 'ER1-TEST', one('ER1-TEST', `${secret} again`), bob);
  const { versions: before } = await reader().listVersions({ key: keyOf('ER1-TEST') });
  expect(await tablesWith(secret)).toEqual(['notice', 'version']);

  expect(await history().eraseHistory({ key: keyOf('ER1-TEST'), ...record })).toEqual({
    versions: 1,
    notices: 1,
  });

  expect(await tablesWith(secret)).toEqual([]);
  expect((await reader().listVersions({ key: keyOf('ER1-TEST') })).versions).toEqual(before);
  await expect(reader().getVersion({ key: keyOf('ER1-TEST'), revision: 1, withContacts: false })).rejects.toMatchObject(
    {
      kind: 'not-found',
      message: expect.stringContaining('erased'),
    },
  );
  expect(await pastStatus('ER1-TEST', created)).toBe(LookupStatus.LOOKUP_STATUS_ERASED);
  expect((await lookup(setup.context, 'person', 'ER1-TEST'))?.text).toContain('now');
  expect(await announced('ER1-TEST')).toEqual(['', expect.stringContaining('now')]);
  const { changes } = await inList();
  expect(changes.filter(({ key }) => key.toUpperCase() === 'ER1-TEST')).toHaveLength(2);
  expect(unreadable).toEqual([]);
});

async function inList() {
  return feedOf(context()).listChanges({ source: 'TEST', afterSerial: 0n });
}

test('a deleted object loses all texts, with the reason, and can be created again', async () => {
  await writer().create(one('ER2-TEST', secret));
  await writer().remove('person', 'ER2-TEST', alice, false, `moved from ${secret}`);
  const deleted = await currentSerial(setup.context.readPool, setup.context.sources.main.id);
  expect(await history().eraseHistory({ key: keyOf('ER2-TEST'), ...record })).toEqual({
    versions: 2,
    notices: 1,
  });
  expect(await tablesWith(secret)).toEqual([]);
  expect(await pastStatus('ER2-TEST', deleted - 1n)).toBe(LookupStatus.LOOKUP_STATUS_ERASED);
  expect(await pastStatus('ER2-TEST', deleted)).toBe(LookupStatus.LOOKUP_STATUS_DELETED);
  const texts: string[] = [];
  const asOf = { point: { $case: 'serial' as const, value: deleted - 1n } };
  for await (const { objects } of reader().exportObjects({
    source: 'TEST',
    types: ['person'],
    view: View.VIEW_COMPLETE,
    asOf,
  })) {
    texts.push(...objects.map(({ key }) => key.toUpperCase()));
  }
  expect([texts.includes('ER1-TEST'), texts.includes('ER2-TEST')]).toEqual([true, false]);
  expect(await announced('ER2-TEST')).toEqual(['', '']);
  expect(unreadable).toEqual([]);
  await put(setup.context, one('ER2-TEST', 'again'));
  expect((await lookup(setup.context, 'person', 'ER2-TEST'))?.revision).toBe(3);
});

test('only revisions up to one, and each call leaves a record', async () => {
  await writer().create(one('ER3-TEST', 'first'));
  for (const remark of ['second', 'third', 'fourth'])
    await writer().update('person', 'ER3-TEST', one('ER3-TEST', remark));
  const request = { key: keyOf('ER3-TEST'), ...record, lastRevision: 2 };
  expect(await history().eraseHistory(request)).toMatchObject({ versions: 2 });
  expect(await history().eraseHistory(request)).toMatchObject({ versions: 0 });
  const { object } = await reader().getVersion({ key: keyOf('ER3-TEST'), revision: 3, withContacts: false });
  expect(object?.text).toContain('third');
  expect(await history().eraseHistory({ ...request, lastRevision: 99 })).toMatchObject({ versions: 1 });
  const { rows } = await setup.context.readPool.query(
    `select last_revision, versions, erased_by, reason from erasure where key = 'er3-test' order by id`,
  );
  const by = { erased_by: 'ann', reason: record.reason };
  expect(rows).toEqual([
    { last_revision: 2, versions: 2, ...by },
    { last_revision: 2, versions: 0, ...by },
    { last_revision: 4, versions: 1, ...by },
  ]);
});

test.each([
  ['no reason', { reason: ' ' }, 'invalid'],
  ['no name', { erasedBy: '' }, 'invalid'],
  ['a long reason', { reason: 'x'.repeat(1001) }, 'invalid'],
  ['an unknown type', { key: { source: 'TEST', type: 'foo', key: 'x' } }, 'invalid'],
  ['an object that never existed', { key: keyOf('ER9-TEST') }, 'not-found'],
])('%s is refused', async (_, wrong, kind) => {
  await expect(history().eraseHistory({ key: keyOf('ER3-TEST'), ...record, ...wrong })).rejects.toMatchObject({ kind });
});
