import { type Change, ChangeAction, type ObjectState, type WriteRequest } from '@cadastre/proto/objects';
import type { Principal } from '@cadastre/proto/registry';
import { samples } from '@cadastre/rpsl';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inetnum, lookup, put, tagsOf, useContext } from './test-context.js';
import { alice, bob, edited, principal, seen, startRegistry, submitted, writerOf } from './write-context.js';

const setup = useContext();
const writer = () => writerOf(setup.context);
beforeAll(() => startRegistry(setup.context));

const set = (descr: string, name = 'AS-STATE') =>
  edited(samples['as-set'], { 'as-set': name, org: undefined, 'tech-c': 'AE1-TEST', 'mbrs-by-ref': undefined, descr });
const nobody = principal('');
const key = { source: 'TEST', type: 'as-set', key: 'AS-STATE' };
const options = (principal: Principal | undefined, dryRun = false) => ({ principal, dryRun });

const conditionally = async (request: WriteRequest) => seen((await writer().client.write(request)).results[0]);
const update = (descr: string, states: ObjectState[], by = alice, dryRun = false) =>
  conditionally({
    write: { $case: 'update', value: { key, object: submitted(set(descr)), options: options(by, dryRun) } },
    expected: { states },
  });
const remove = (states: ObjectState[], by = alice) =>
  conditionally({ write: { $case: 'delete', value: { key, reason: '', options: options(by) } }, expected: { states } });

async function stateOf(name = 'AS-STATE'): Promise<ObjectState> {
  const { revision, lastModified } = (await lookup(setup.context, 'as-set', name))!;
  return { revision, lastModified };
}

let state: ObjectState;
beforeEach(async () => {
  await writer().create(set('first'));
  await writer().update('as-set', 'AS-STATE', set('first'));
  state = await stateOf();
});

describe('an update that expects a state', () => {
  test('is made when the object has it, or another one that the caller names', async () => {
    expect(await update('second', [state])).toMatchObject({ outcome: 'MODIFIED' });
    expect(await update('third', [state, await stateOf()])).toMatchObject({ outcome: 'MODIFIED' });
  });

  test('is refused, and changes nothing, when the object has changed since', async () => {
    setup.clock.advance(60_000);
    await update('second', [state]);
    const now = await stateOf();
    const refused = await update('third', [state]);
    expect(refused).toMatchObject({ outcome: 'STALE', serial: 0n });
    expect(refused.messages[0]).toBe(
      `E The object has changed since it was read: it has version ${now.revision} of ${now.lastModified!.toISOString().slice(0, 19)}Z now`,
    );
    expect(await stateOf()).toEqual(now);
  });

  test.each<[string, () => ObjectState[]]>([
    ['no state', () => []],
    ['the revision of another time, as after a restore', () => [{ ...state, lastModified: new Date(0) }]],
    ['another revision of this time', () => [{ ...state, revision: state.revision + 1 }]],
    ['no time', () => [{ revision: state.revision }]],
  ])('is refused with %s', async (_what, states) => {
    expect(await update('second', states())).toMatchObject({ outcome: 'STALE' });
    expect(await stateOf()).toEqual(state);
  });

  test('succeeds when the object is as it wants: it may repeat an update whose answer was lost', async () => {
    await update('second', [state]);
    expect(await update('second', [state])).toMatchObject({ outcome: 'UNCHANGED' });
  });

  test('is refused for lack of authority first, and reports a stale state before other errors', async () => {
    for (const by of [bob, nobody]) {
      expect(await update('second', [], by)).toMatchObject({ outcome: 'UNAUTHORISED' });
    }
    const object = submitted(edited(set('x'), { 'tech-c': 'NONE1-TEST' }));
    const write = { $case: 'update', value: { key, object, options: options(alice) } } as const;
    const refused = await conditionally({ write, expected: { states: [] } });
    expect(refused).toMatchObject({ outcome: 'STALE' });
    expect(refused.messages.filter((message) => message.startsWith('E'))).toHaveLength(2);
  });

  test('reports the same as a dry run', async () => {
    expect(await update('second', [], alice, true)).toMatchObject({ outcome: 'STALE' });
    expect(await update('second', [state], alice, true)).toMatchObject({ outcome: 'MODIFIED' });
    expect(await stateOf()).toEqual(state);
  });

  test('tags change no state', async () => {
    await tagsOf(setup.context).attachTag({ tag: { id: 'unref', data: '' }, keys: [key] });
    expect(await update('second', [state])).toMatchObject({ outcome: 'MODIFIED' });
  });
});

test('a deletion that expects a state', async () => {
  expect(await remove([])).toMatchObject({ outcome: 'STALE', serial: 0n });
  expect(await stateOf()).toEqual(state);
  expect(await remove([state])).toMatchObject({ outcome: 'DELETED' });
  expect(await remove([state])).toMatchObject({ outcome: 'NOT_FOUND' });
  expect(await update('second', [state])).toMatchObject({ outcome: 'NOT_FOUND' });
  await writer().create(set('first'));
  expect(await remove([state])).toMatchObject({ outcome: 'STALE' });
});

describe('a group whose changes expect states', () => {
  beforeEach(async () => {
    await writer().create(set('first', 'AS-OTHER'));
    await writer().update('as-set', 'AS-OTHER', set('first', 'AS-OTHER'));
  });
  const change = (text: string, states?: ObjectState[], action = ChangeAction.CHANGE_ACTION_UPDATE) => ({
    action,
    object: submitted(text),
    reason: '',
    expected: states && { states },
  });
  const apply = async (changes: Change[], dryRun = false, by = alice) => {
    const value = { source: 'TEST', changes, options: options(by, dryRun) };
    const { results } = await writer().client.write({ write: { $case: 'apply', value } });
    return results.map((result) => seen(result).outcome);
  };
  const remove = ChangeAction.CHANGE_ACTION_DELETE;

  test('is made when every object has one of its states', async () => {
    const given = [
      change(set('second'), [state]),
      change(set('second', 'AS-OTHER'), [await stateOf('AS-OTHER')]),
      change(set('new', 'AS-NEW'), undefined, ChangeAction.CHANGE_ACTION_CREATE),
    ];
    expect(await apply(given, true)).toEqual(['MODIFIED', 'MODIFIED', 'CREATED']);
    expect(await apply(given)).toEqual(['MODIFIED', 'MODIFIED', 'CREATED']);
    // As after a lost response.
    expect(await apply(given.slice(0, 2))).toEqual(['UNCHANGED', 'UNCHANGED']);
    expect(await apply([change(set('new', 'AS-NEW'), [await stateOf('AS-NEW')], remove)])).toEqual(['DELETED']);
  });

  test.each([
    ['an update', undefined],
    ['a deletion', remove],
  ])('is refused as a whole when %s meets another state', async (_what, action) => {
    const given = [change(set('second')), change(set('first again', 'AS-OTHER'), [], action)];
    const before = [await stateOf(), await stateOf('AS-OTHER')];
    expect(await apply(given, true)).toEqual(['SKIPPED', 'STALE']);
    expect(await apply(given)).toEqual(['SKIPPED', 'STALE']);
    expect([await stateOf(), await stateOf('AS-OTHER')]).toEqual(before);
  });

  test('reports each object separately', async () => {
    const gone = change(set('gone', 'AS-GONE'), [state]);
    expect(await apply([change(set('x'), []), change(set('y', 'AS-OTHER'), [])])).toEqual(['STALE', 'STALE']);
    expect(await apply([change(set('x'), [state]), gone])).toEqual(['SKIPPED', 'NOT_FOUND']);
    expect(await apply([change(set('x'), [])], false, bob)).toEqual(['UNAUTHORISED']);
  });

  test.each<[string, WriteRequest['expected'], Change[]]>([
    ['the whole group expects a state', { states: [] }, [change(set('x'))]],
    ['a creation expects a state', undefined, [change(set('x'), [], ChangeAction.CHANGE_ACTION_CREATE)]],
    ['a put expects a state', undefined, [change(set('x'), [], ChangeAction.CHANGE_ACTION_PUT)]],
    ['a change expects too many', undefined, [change(set('x'), Array(101).fill({ revision: 1 }))]],
  ])('is an error when %s', async (_what, expected, changes) => {
    const value = { source: 'TEST', changes, options: options(alice) };
    const call = writer().client.write({ write: { $case: 'apply', value }, expected });
    await expect(call).rejects.toMatchObject({ kind: 'invalid' });
  });

  test('is no group of ApplyChanges, of which services before know no conditions', async () => {
    const changes = [change(set('x'), [state])];
    const call = writer().client.applyChanges({ source: 'TEST', changes, options: options(alice) });
    await expect(call).rejects.toMatchObject({ kind: 'invalid' });
    expect(await stateOf()).toEqual(state);
  });
});

test('of many that expect the same state, exactly one is made', async () => {
  for (let round = 0; round < 20; round++) {
    const expected = await stateOf();
    const results = await Promise.all([1, 2, 3, 4].map((editor) => update(`round ${round} of ${editor}`, [expected])));
    expect(results.map(({ outcome }) => outcome).sort()).toEqual(['MODIFIED', 'STALE', 'STALE', 'STALE']);
    const made = results.findIndex(({ outcome }) => outcome === 'MODIFIED') + 1;
    expect((await lookup(setup.context, 'as-set', 'AS-STATE'))!.text).toContain(`round ${round} of ${made}\n`);
  }
});

test('a state that a bulk load or an older version stored is one like all others', async () => {
  const modified = 'last-modified:  1999-01-01T00:00:00Z\n';
  await put(setup.context, `${set('loaded', 'AS-LOADED')}created:        1999-01-01T00:00:00Z\n${modified}`);
  const value = {
    key: { ...key, key: 'AS-LOADED' },
    object: submitted(set('updated', 'AS-LOADED')),
    options: options(alice),
  };
  const expected = { states: [await stateOf('AS-LOADED')] };
  expect(await conditionally({ write: { $case: 'update', value }, expected })).toMatchObject({ outcome: 'MODIFIED' });
});

test('without an expectation it is the plain write; impossible conditions are errors', async () => {
  const create = {
    $case: 'create',
    value: { source: 'TEST', type: 'inetnum', object: undefined, options: undefined },
  } as const;
  const value = {
    source: 'TEST',
    type: 'inetnum',
    object: submitted(inetnum('10.0.0.0 - 10.0.0.255')),
    options: options(undefined),
  };
  expect(await conditionally({ write: { $case: 'create', value } })).toMatchObject({ outcome: 'UNAUTHORISED' });
  for (const request of [
    {},
    { write: create, expected: { states: [] } },
    { write: { $case: 'apply', value: { source: 'TEST', changes: [], options: undefined } } },
    {
      write: { $case: 'delete', value: { key, reason: '', options: options(alice) } },
      expected: { states: Array.from({ length: 101 }, () => state) },
    },
  ] as WriteRequest[]) {
    await expect(conditionally(request)).rejects.toMatchObject({ kind: 'invalid' });
  }
});
