import { randomUUID } from 'node:crypto';
import { ChangeAction, HistoryServiceService, KeyOutcome, type WriteRequest } from '@cadastre/proto/objects';
import type { Principal } from '@cadastre/proto/registry';
import { inTransaction } from '@cadastre/service';
import { inMemoryClient, testLogger } from '@cadastre/service/testing';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { charactersOfKey, maxKeys, writeKey } from '../src/domain/repeatable.js';
import { noticeRemoval } from '../src/removal-rounds.js';
import { historyHandlers } from '../src/rpc/index.js';
import { lockSource } from '../src/store/locks.js';
import { currentSerial } from '../src/store/serials.js';
import { lookup, useContext } from './test-context.js';
import {
  alice,
  bob,
  edited,
  mntner,
  person,
  principal,
  seen,
  startRegistry,
  submitted,
  writerOf,
} from './write-context.js';

const setup = useContext();
const writer = () => writerOf(setup.context);
beforeAll(() => startRegistry(setup.context));
// Keys of one test must not count in the next one.
beforeEach(() => setup.clock.advance(2 * 60 * 60_000));

interface Keyed {
  key?: string;
  /** The content that the hash of the request represents. */
  request?: string;
  by?: Principal | undefined;
  dryRun?: boolean;
}

type Write = NonNullable<WriteRequest['write']>;

async function send(write: (options: { principal: Principal | undefined; dryRun: boolean }) => Write, o: Keyed) {
  const { key = 'k', request = 'r', dryRun = false } = o;
  const { results, keyOutcome } = await writer().client.write({
    write: write({ principal: 'by' in o ? o.by : alice, dryRun }),
    key: { key, request: Buffer.from(request) },
  });
  return { results: results.map(seen), key: KeyOutcome[keyOutcome]!.replace('KEY_OUTCOME_', '') };
}

const create = (text: string, o: Keyed = {}) =>
  send((options) => {
    const object = submitted(text);
    const type = object.attributes[0]!.name;
    return { $case: 'create', value: { source: 'TEST', type, object, options } };
  }, o);
const apply = (changes: readonly (readonly [ChangeAction, string])[], o: Keyed = {}) =>
  send((options) => {
    const wanted = changes.map(([action, text]) => ({ action, object: submitted(text), reason: '' }));
    return { $case: 'apply', value: { source: 'TEST', changes: wanted, options } };
  }, o);

const {
  CHANGE_ACTION_CREATE: creation,
  CHANGE_ACTION_UPDATE: modification,
  CHANGE_ACTION_DELETE: deletion,
} = ChangeAction;
const named = (handle: string, name = 'Rita Repeated') => edited(person, { person: name, 'nic-hdl': handle });
const serial = () => currentSerial(setup.context.readPool, setup.context.sources.main.id);
const fresh = () => randomUUID();

describe('a write with a key', () => {
  test('is made once: the same request gets the first result again', async () => {
    const key = fresh();
    const first = await create(named('AUTO-1'), { key });
    expect(first).toMatchObject({ key: 'FREE', results: [{ outcome: 'CREATED' }] });
    const before = await serial();
    const again = await create(named('AUTO-1'), { key });
    expect(again).toEqual({ ...first, key: 'REPEATED' });
    expect(await serial()).toBe(before);
  });

  test('the result stays when the object changes or goes', async () => {
    const [key, text] = [fresh(), named('RS1-TEST')];
    const first = await create(text, { key });
    await writer().update('person', 'RS1-TEST', edited(text, { remarks: 'changed' }));
    expect(await create(text, { key })).toEqual({ ...first, key: 'REPEATED' });
    await writer().remove('person', 'RS1-TEST');
    expect(await create(text, { key })).toEqual({ ...first, key: 'REPEATED' });
    await writer().create(text);
    expect(await create(text, { key })).toEqual({ ...first, key: 'REPEATED' });
  });

  test('of many objects, with creation, update, deletion and what is unchanged', async () => {
    await writer().create(named('GR1-TEST'));
    await writer().create(named('GR2-TEST'));
    await writer().create(named('GR3-TEST'));
    const changes = [
      [
        creation,
        edited(mntner, {
          mntner: 'GROUP-MNT',
          'admin-c': 'AUTO-7',
          'mnt-by': 'GROUP-MNT',
          auth: 'SSO alice@example.net',
        }),
      ],
      [creation, edited(named('AUTO-7'), { 'mnt-by': 'GROUP-MNT' })],
      [modification, edited(named('GR1-TEST'), { remarks: 'changed' })],
      [deletion, named('GR2-TEST')],
      [modification, named('GR3-TEST')],
    ] as const;
    const key = fresh();
    const first = await apply(changes, { key });
    expect(first.results.map(({ outcome }) => outcome)).toEqual([
      'CREATED',
      'CREATED',
      'MODIFIED',
      'DELETED',
      'UNCHANGED',
    ]);
    expect(first.results[0]!.text).toContain('SSO alice@example.net');
    expect(await apply(changes, { key })).toEqual({ ...first, key: 'REPEATED' });
  });

  test('another request with the key is refused, without results', async () => {
    const key = fresh();
    await create(named('AUTO-1'), { key });
    const before = await serial();
    expect(await create(named('AUTO-1'), { key, request: 'other' })).toEqual({ key: 'OTHER_REQUEST', results: [] });
    expect(await serial()).toBe(before);
  });

  test('a refused write does not take the key', async () => {
    const key = fresh();
    expect((await create(named('AE1-TEST'), { key })).results[0]!.outcome).toBe('EXISTS');
    expect((await create(edited(person, { 'nic-hdl': undefined }), { key })).results[0]!.outcome).toBe('INVALID');
    expect((await create(named('AUTO-1'), { key, request: 'better' })).results[0]!.outcome).toBe('CREATED');
  });

  test('a dry run ignores it', async () => {
    const key = fresh();
    expect(await create(named('AUTO-1'), { key, dryRun: true })).toMatchObject({ key: 'UNSPECIFIED' });
    const first = await create(named('AUTO-1'), { key });
    expect(first.key).toBe('FREE');
    const tried = await create(named('AUTO-1'), { key, dryRun: true });
    expect([tried.key, tried.results[0]!.text === first.results[0]!.text]).toEqual(['UNSPECIFIED', false]);
  });

  test('accounts have keys of their own, and so have limited API keys', async () => {
    const key = fresh();
    const limited = principal('alice@example.net', ['EXAMPLE-MNT']);
    const withMntner = (by: Principal) => create(edited(named('AUTO-1'), { 'mnt-by': 'EXAMPLE-MNT' }), { key, by });
    expect((await withMntner(alice)).key).toBe('FREE');
    for (const by of [bob, limited]) expect((await withMntner(by)).key).toBe('FREE');
    expect((await withMntner({ ...limited, apiKeyId: 'another' })).key).toBe('REPEATED');
    expect((await withMntner({ ...alice, credentials: [] })).key).toBe('REPEATED');
  });

  test('is good for a day, and then free again', async () => {
    const key = fresh();
    await create(named('AUTO-1'), { key });
    setup.clock.advance(24 * 60 * 60_000 - 1000);
    expect((await create(named('AUTO-1'), { key })).key).toBe('REPEATED');
    setup.clock.advance(1000);
    expect((await create(named('AUTO-1'), { key, request: 'other' })).key).toBe('FREE');
    expect((await create(named('AUTO-1'), { key, request: 'other' })).key).toBe('REPEATED');
  });

  test('shows no text that was erased since', async () => {
    const [key, text] = [fresh(), named('ER1-TEST')];
    await create(text, { key });
    await writer().remove('person', 'ER1-TEST');
    const history = inMemoryClient(HistoryServiceService, historyHandlers(setup.context));
    const erased = { source: 'TEST', type: 'person', key: 'ER1-TEST' };
    await history.eraseHistory({ key: erased, lastRevision: 0, reason: 'asked for', erasedBy: 'ann' });
    const again = await create(text, { key });
    expect(again).toMatchObject({ key: 'REPEATED', results: [{ outcome: 'CREATED', object: undefined }] });
  });

  test('needs an account, a key of a good length, and a write that is not repeatable anyway', async () => {
    const noAccount = { ...principal(''), keyFingerprints: ['aa'] };
    for (const o of [
      { by: noAccount },
      { key: '' },
      { key: 'k'.repeat(256) },
      { request: '' },
      { request: 'r'.repeat(65) },
    ]) {
      await expect(create(named('AUTO-1'), o)).rejects.toMatchObject({ kind: 'invalid' });
    }
    const key = { source: 'TEST', type: 'person', key: 'AE1-TEST' };
    const remove = send((options) => ({ $case: 'delete', value: { key, reason: '', options } }), {});
    await expect(remove).rejects.toMatchObject({ kind: 'invalid' });
    expect((await create(named('AE1-TEST'), { by: undefined })).results[0]!.outcome).toBe('UNAUTHORISED');
  });
});

describe('two requests with one key at the same time', () => {
  test('one is made, the other is told that it runs, or its result', async () => {
    for (let round = 0; round < 20; round++) {
      const key = fresh();
      const before = await serial();
      const answers = await Promise.all([1, 2, 3, 4].map(() => create(named('AUTO-1'), { key })));
      const made = answers.find((one) => one.key === 'FREE')!;
      const others = answers.filter((one) => one !== made);
      for (const one of others) {
        expect([
          { ...made, key: 'REPEATED' },
          { key: 'RUNNING', results: [] },
        ]).toContainEqual(one);
      }
      expect(await serial()).toBe(before + 1n);
    }
  });

  test('nobody waits for the first', async () => {
    const key = fresh();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    // The row that the first one needs to store.
    const holder = inTransaction(setup.context.writePool, async (db) => {
      // On a busy machine the others may need longer than a transaction may be idle.
      await db.query('set local idle_in_transaction_session_timeout = 0');
      await lockSource(db, setup.context.sources.main.id);
      held.resolve();
      await ended;
    });
    await held.promise;
    const first = create(named('AUTO-1'), { key });
    expect(await create(named('AUTO-1'), { key })).toEqual({ key: 'RUNNING', results: [] });
    end();
    await holder;
    const made = await first;
    expect(made.key).toBe('FREE');
    expect(await create(named('AUTO-1'), { key })).toEqual({ ...made, key: 'REPEATED' });
  });
});

test.each([
  ['so many keys', maxKeys - 1, 2],
  ['results of so many characters', maxKeys / 10, 10 * charactersOfKey],
])('an account takes %s within an hour; others take theirs, and repetitions work', async (_, keys, characters) => {
  const key = fresh();
  const first = await create(named('AUTO-1'), { key });
  const { account } = writeKey(alice, key, Buffer.from('r'));
  await setup.context.writePool.query(
    `insert into repeatable_write
     select $1, sha256(convert_to(n || ' ' || $4::text, 'UTF8')), '', rpad('[', $4::integer, ' '), $2
     from generate_series(1, $3::integer) n`,
    [account, setup.context.clock(), keys, characters],
  );
  expect(await create(named('AUTO-1'), { key: fresh() })).toEqual({ key: 'TOO_MANY', results: [] });
  expect(await create(named('AUTO-1'), { key })).toEqual({ ...first, key: 'REPEATED' });
  expect((await create(named('AUTO-1'), { key: fresh(), by: bob })).key).toBe('FREE');
  setup.clock.advance(60 * 60_000 + 1000);
  expect((await create(named('AUTO-1'), { key: fresh() })).key).toBe('FREE');
});

test('what nobody may repeat any more is removed', async () => {
  const key = fresh();
  await create(named('AUTO-1'), { key });
  setup.clock.advance(24 * 60 * 60_000 - 1000);
  await create(named('AUTO-1'), { key: fresh() });
  setup.clock.advance(1000);
  const removal = noticeRemoval({ context: setup.context, logger: testLogger(), roundMs: 1 });
  await removal.start();
  const left = async () =>
    (await setup.context.readPool.query<{ left: bigint }>('select count(*) as left from repeatable_write')).rows[0]!
      .left;
  await expect.poll(left).toBe(1n);
  await removal.stop();
});

test('what is kept has neither the key nor the text of the object', async () => {
  const key = fresh();
  await create(named('KT1-TEST', 'Kitty Kept'), { key });
  const { rows } = await setup.context.readPool.query('select * from repeatable_write order by instant desc limit 1');
  const row = JSON.stringify(rows[0]);
  expect(row).toContain('kt1-test');
  expect(row).not.toMatch(/Kitty|address/);
  expect(row).not.toContain(key);
  expect((await lookup(setup.context, 'person', 'KT1-TEST'))!.text).toContain('Kitty Kept');
});
