import { LookupStatus, type Moment } from '@cadastre/proto/objects';
import { Operation, View } from '@cadastre/proto/registry';
import { describe, expect, test } from 'vitest';
import { maxListed } from '../src/rpc/versions.js';
import { findReferrers, type Referrer } from '../src/store/references.js';
import { inetnum, loadText, lookup, mntner, person, put, readerOf, remove, text, useContext } from './test-context.js';

const setup = useContext();

const principal = (accountName: string, maintainers: string[] = []) => ({
  credentials: [],
  accountId: '',
  accountName,
  apiKeyId: '',
  maintainers,
  keyFingerprints: [],
});

describe('BatchLookup', () => {
  const ask = (type: string, key: string, source = 'TEST') => ({
    key: { source, type, key },
    view: View.VIEW_COMPLETE,
    withContacts: false,
  });

  test('answers in the order of the keys, each with its own status', async () => {
    await put(setup.context, inetnum('192.0.2.0 - 192.0.2.255'));
    const { answers } = await readerOf(setup.context).batchLookup({
      lookups: [
        ask('inetnum', '192.0.2.0/25'),
        ask('inetnum', '192.0.2.0/24'),
        ask('inetnum', '192.0.2.0/24', 'NOWHERE'),
        ask('internet', '192.0.2.0/24'),
        ask('inetnum', 'not an address'),
        ask('INETNUM', '192.0.2.0 - 192.0.2.255', 'test'),
        ask('inetnum', '192.0.2.0/24', 'EXAMPLE-GRS'),
      ],
    });
    expect(answers.map((answer) => answer.status)).toEqual([
      LookupStatus.LOOKUP_STATUS_NOT_FOUND,
      LookupStatus.LOOKUP_STATUS_FOUND,
      LookupStatus.LOOKUP_STATUS_UNKNOWN_SOURCE,
      LookupStatus.LOOKUP_STATUS_UNKNOWN_TYPE,
      LookupStatus.LOOKUP_STATUS_INVALID_KEY,
      LookupStatus.LOOKUP_STATUS_FOUND,
      LookupStatus.LOOKUP_STATUS_NOT_FOUND,
    ]);
    expect(answers[1]!.object).toMatchObject({ source: 'TEST', type: 'inetnum', key: '192.0.2.0 - 192.0.2.255' });
    expect(answers[5]).toEqual(answers[1]);
  });

  test('answers an empty batch, and refuses more than 1,000 keys', async () => {
    const reader = readerOf(setup.context);
    expect(await reader.batchLookup({ lookups: [] })).toEqual({ answers: [] });
    const tooMany = { lookups: new Array(1001).fill(ask('person', 'SB1-TEST')) };
    await expect(reader.batchLookup(tooMany)).rejects.toMatchObject({ kind: 'invalid' });
  });

  test('does not find a deleted object', async () => {
    await put(setup.context, person('DEL1-TEST'));
    await remove(setup.context, 'person', 'del1-test');
    expect(await lookup(setup.context, 'person', 'DEL1-TEST')).toBeUndefined();
  });

  test('keeps every latin-1 character', async () => {
    await put(setup.context, person('LA1-TEST', 'Søren Ångström ÿ'));
    expect((await lookup(setup.context, 'person', 'la1-test'))!.text).toBe(person('LA1-TEST', 'Søren Ångström ÿ'));
  });

  test('withholds e-mail and auth unless asked (R1, R2)', async () => {
    await put(setup.context, mntner('ONE-MNT'));
    const filtered = await lookup(setup.context, 'mntner', 'ONE-MNT', View.VIEW_FILTERED);
    expect(filtered!.text).not.toMatch(/upd-to|auth/);
    expect(filtered!.text).toContain('TEST # Filtered');
    const unfiltered = await lookup(setup.context, 'mntner', 'ONE-MNT', View.VIEW_UNFILTERED);
    expect(unfiltered!.text).toContain('upd-to:');
    expect(unfiltered!.text).not.toContain('auth:');
    const complete = await lookup(setup.context, 'mntner', 'ONE-MNT', View.VIEW_COMPLETE);
    expect(complete!.text).toBe(mntner('ONE-MNT'));
  });

  test.each([
    ['its own account', principal('Alice@example.net'), View.VIEW_UNFILTERED, true],
    ['its own account, but filtered', principal('alice@example.net'), View.VIEW_FILTERED, false],
    ['another account', principal('bob@example.net'), View.VIEW_UNFILTERED, false],
    ['a key limited to it', principal('alice@example.net', ['one-mnt']), View.VIEW_UNFILTERED, true],
    ['a key limited to another maintainer', principal('alice@example.net', ['TWO-MNT']), View.VIEW_UNFILTERED, false],
    ['nobody', principal(''), View.VIEW_UNFILTERED, false],
  ])('shows auth of a mntner to %s: rule R3', async (_who, who, view, shown) => {
    await put(setup.context, mntner('ONE-MNT'));
    const { answers } = await readerOf(setup.context).batchLookup({
      lookups: [{ ...ask('mntner', 'ONE-MNT'), view, principal: who }],
    });
    expect(answers[0]!.object!.text.includes('auth:')).toBe(shown);
  });

  test('resolves contacts to person and role, leaving out those that do not exist', async () => {
    await put(setup.context, person('SB1-TEST'));
    const role = text([
      ['role', 'Example Role'],
      ['address', 'Street'],
      ['e-mail', 'role@example.net'],
      ['nic-hdl', 'ER1-TEST'],
      ['mnt-by', 'ONE-MNT'],
      ['source', 'TEST'],
    ]);
    await put(setup.context, role);
    const object = inetnum('198.51.100.0 - 198.51.100.255')
      .replace('tech-c:         SB1-TEST', 'tech-c:         er1-TEST')
      .replace('status:', 'tech-c:         NO1-TEST\nstatus:');
    await put(setup.context, object);
    const { answers } = await readerOf(setup.context).batchLookup({
      lookups: [
        { ...ask('person', 'SB1-TEST'), withContacts: true },
        { ...ask('inetnum', '198.51.100.0/24'), withContacts: true },
        ask('inetnum', '198.51.100.0/24'),
      ],
    });
    expect(answers.map((answer) => answer.object!.contacts)).toEqual([
      [],
      [
        { nicHdl: 'sb1-test', type: 'person' },
        { nicHdl: 'er1-test', type: 'role' },
      ],
      [],
    ]);
  });
});

describe('versions', () => {
  test('are kept across deletion and re-creation, and numbers never restart (R15)', async () => {
    const { context, clock } = setup;
    const reader = readerOf(context);
    const key = { source: 'TEST', type: 'person', key: 'VE1-TEST' };
    const texts = ['First', 'Second', 'Third'].map((name) => person('VE1-TEST', name));
    clock.set('2026-02-01T00:00:00Z');
    await put(context, texts[0]!);
    clock.advance(1000);
    await put(context, texts[1]!);
    clock.advance(1000);
    await remove(context, 'person', 've1-test', 'no longer needed');
    clock.advance(1000);
    const serial = await put(context, texts[2]!);
    const { versions } = await reader.listVersions({ key });
    expect(versions.map(({ revision, operation }) => [revision, operation])).toEqual([
      [1, Operation.OPERATION_UPDATE],
      [2, Operation.OPERATION_UPDATE],
      [3, Operation.OPERATION_DELETE],
      [4, Operation.OPERATION_UPDATE],
    ]);
    expect(versions.map(({ reason }) => reason)).toEqual(['', '', 'no longer needed', '']);
    expect(versions.map(({ instant }) => instant!.getUTCSeconds())).toEqual([0, 1, 2, 3]);
    expect(versions.map((version) => version.serial)).toEqual([serial - 3n, serial - 2n, serial - 1n, serial]);
    for (const [revision, name] of [
      [1, 'First'],
      [2, 'Second'],
      [4, 'Third'],
    ] as const) {
      const version = await reader.getVersion({ key, revision, withContacts: false });
      expect(version.object!.text).toContain(name);
      expect(version.object!.revision).toBe(revision);
      expect(version.current).toBe(revision === 4);
    }
    for (const [revision, error] of [
      [0, 'ERROR:101'],
      [3, 'ERROR:101'],
      [5, 'ERROR:117'],
      [4_294_967_295, 'ERROR:117'],
    ] as const) {
      await expect(reader.getVersion({ key, revision, withContacts: false })).rejects.toMatchObject({
        kind: 'not-found',
        messages: [{ text: expect.stringContaining(error) }],
      });
    }
  });

  test('of a deleted object end with its deletion', async () => {
    const { context } = setup;
    await put(context, person('VE2-TEST'));
    await remove(context, 'person', 've2-test', 'x'.repeat(501));
    await put(context, person('VE2-TEST'));
    await remove(context, 'person', 've2-test', '--');
    const key = { source: 'TEST', type: 'person', key: 'VE2-TEST' };
    const { versions } = await readerOf(context).listVersions({ key });
    expect(versions.map(({ operation, reason }) => [operation, reason])).toEqual([
      [Operation.OPERATION_UPDATE, ''],
      [Operation.OPERATION_DELETE, 'x'.repeat(500)],
      [Operation.OPERATION_UPDATE, ''],
      [Operation.OPERATION_DELETE, ''],
    ]);
    const first = await readerOf(context).getVersion({ key, revision: 1, withContacts: false });
    expect(first.current).toBe(false);
  });

  test('of an object with very many: the newest, those before a moment, and those up to a revision', async () => {
    const { context } = setup;
    const key = { source: 'TEST', type: 'person', key: 'VE3-TEST' };
    await put(context, person('VE3-TEST'));
    await put(context, person('VE3-TEST', 'Second'));
    const { versions: two } = await readerOf(context).listVersions({ key });
    const more = `insert into version (source_id, type, revision, operation, serial, created, instant, key, text)
      select source_id, type, n, operation, serial, created, instant, key, text from version, generate_series($2::integer, $3::integer) n
      where key = $1 and revision = 1`;
    await context.writePool.query('update object set revision = 10002 where key = $1', ['ve3-test']);
    await context.writePool.query(more, ['ve3-test', 2, 10_001]);
    const list = async (o: { upToRevision?: number; asOf?: Moment } = {}) => {
      const { versions, hasOlder } = await readerOf(context).listVersions({ key, ...o });
      return [versions[0]!.revision, versions.at(-1)!.revision, versions.length, hasOlder];
    };
    expect(await list()).toEqual([3, 10_002, maxListed, true]);
    expect(await list({ asOf: { point: { $case: 'serial', value: two[0]!.serial } } })).toEqual([
      2,
      10_001,
      maxListed,
      true,
    ]);
    expect(await list({ upToRevision: 5 })).toEqual([1, 6, 6, false]);
    expect(await list({ upToRevision: 10_001 })).toEqual([3, 10_002, maxListed, true]);
    expect(await list({ upToRevision: 4_000_000_000 })).toEqual([3, 10_002, maxListed, true]);
    await expect(readerOf(context).getVersion({ key, revision: 10_003, withContacts: false })).rejects.toMatchObject({
      messages: [expect.objectContaining({ args: ['10002'] })],
    });
  });

  test('show no personal and no authentication data', async () => {
    await put(setup.context, mntner('VER-MNT'));
    const key = { source: 'TEST', type: 'mntner', key: 'VER-MNT' };
    const { object } = await readerOf(setup.context).getVersion({ key, revision: 1, withContacts: true });
    expect(object!.text).not.toMatch(/auth|upd-to|admin-c/);
    expect(object!.text).toContain('# Filtered');
    expect(object!.contacts).toEqual([]);
  });

  test('of objects that never existed or cannot exist are refused', async () => {
    const list = (source: string, type: string, key: string) =>
      readerOf(setup.context).listVersions({ key: { source, type, key } });
    await expect(list('TEST', 'person', 'NE999-TEST')).rejects.toMatchObject({ kind: 'not-found' });
    await expect(list('NOWHERE', 'person', 'SB1-TEST')).rejects.toMatchObject({ kind: 'invalid' });
    await expect(list('TEST', 'nobody', 'SB1-TEST')).rejects.toMatchObject({ kind: 'invalid' });
    await expect(list('TEST', 'inetnum', 'SB1-TEST')).rejects.toMatchObject({ kind: 'invalid' });
  });
});

test('of the referrers of an object only those that are needed are held, up to a limit', async () => {
  const { context } = setup;
  const name = (n: number) => `OF${n}-MNT`;
  for (const n of [1, 2, 3, 4]) await put(context, mntner(name(n), 'OF1-TEST'));
  const sourceId = context.sources.main.id;
  const target = { refClass: 'contact', key: 'of1-test' } as const;
  const keysOf = async (needed: { limit: number; isNeeded?: (one: Referrer) => boolean }) =>
    (await findReferrers(context.readPool, sourceId, target, needed)).map(({ stored }) => stored.key).sort();
  const isNeeded = ({ stored }: Referrer) => ['of2-mnt', 'of4-mnt'].includes(stored.key);
  expect(await keysOf({ limit: 10, isNeeded })).toEqual(['of2-mnt', 'of4-mnt']);
  expect(await keysOf({ limit: 1, isNeeded })).toHaveLength(1);
  expect(await keysOf({ limit: 3 })).toHaveLength(3);
});

describe('ListReferences', () => {
  test('lists both directions, each attribute once, without references to itself', async () => {
    const { context } = setup;
    await put(context, person('RF1-TEST').replace('ONE-MNT', 'REF-MNT'));
    await put(context, mntner('REF-MNT', 'RF1-TEST'));
    const list = (type: string, key: string) =>
      readerOf(context).listReferences({ key: { source: 'TEST', type, key }, limit: 0 });
    const mntnerKey = { source: 'TEST', type: 'mntner', key: 'REF-MNT' };
    const personKey = { source: 'TEST', type: 'person', key: 'RF1-TEST' };
    expect(await list('mntner', 'ref-mnt')).toEqual({
      incoming: [{ key: personKey, attribute: 'mnt-by' }],
      outgoing: [
        { key: personKey, attribute: 'admin-c' },
        { key: mntnerKey, attribute: 'mnt-by' },
      ],
      incomplete: false,
    });
    expect((await list('person', 'RF1-TEST')).incoming).toEqual([{ key: mntnerKey, attribute: 'admin-c' }]);
    await remove(context, 'person', 'rf1-test');
    expect((await list('mntner', 'REF-MNT')).incoming).toEqual([]);
  });

  test('says when there are more than requested', async () => {
    const { context } = setup;
    for (const handle of ['LI1-TEST', 'LI2-TEST', 'LI3-TEST']) {
      await put(context, person(handle).replace('ONE-MNT', 'LIM-MNT'));
    }
    await put(context, mntner('LIM-MNT'));
    const key = { source: 'TEST', type: 'mntner', key: 'LIM-MNT' };
    const two = await readerOf(context).listReferences({ key, limit: 2 });
    expect([two.incoming.length, two.incomplete]).toEqual([2, true]);
    const three = await readerOf(context).listReferences({ key, limit: 3 });
    expect([three.incoming.length, three.incomplete]).toEqual([3, false]);
  });
});

describe('ExportObjects and ListSources', () => {
  test('an export starts with the serial and goes through all pages in order', async () => {
    const { context } = setup;
    const handles = Array.from({ length: 1203 }, (_, index) => `EX${index + 1}-TEST`);
    const dump = handles.map((handle) => person(handle).replace('source:         TEST', 'source:         EXAMPLE-GRS'));
    await loadText(context, dump.join('\n'), { source: 'EXAMPLE-GRS' });
    const pages = [];
    const request = { source: 'example-grs', types: [], view: View.VIEW_FILTERED };
    for await (const page of readerOf(context).exportObjects(request)) pages.push(page);
    expect(pages[0]).toMatchObject({ serial: 1203n, objects: [], position: undefined });
    expect(pages.slice(1).map((page) => page.objects.length)).toEqual([500, 500, 203]);
    const keys = pages.flatMap((page) => page.objects.map((object) => object.key.toLowerCase()));
    expect(keys).toEqual(handles.map((handle) => handle.toLowerCase()).sort());
    expect(pages[1]!.objects[0]!.text).not.toContain('e-mail');
    const { sources } = await readerOf(context).listSources({});
    expect(sources.map(({ name }) => name)).toEqual(['TEST', 'EXAMPLE-GRS']);
    expect(sources[1]!.serial).toBe(1203n);
  });

  test('an export of some types has nothing else; unknown names are refused', async () => {
    const reader = readerOf(setup.context);
    await put(setup.context, mntner('EXP-MNT'));
    const types = new Set<string>();
    for await (const page of reader.exportObjects({ source: 'TEST', types: ['mntner'], view: 0 })) {
      for (const object of page.objects) types.add(object.type);
    }
    expect([...types]).toEqual(['mntner']);
    for (const request of [
      { source: 'NO', types: [], view: 0 },
      { source: 'TEST', types: ['no'], view: 0 },
    ]) {
      const first = reader.exportObjects(request)[Symbol.asyncIterator]().next();
      await expect(first).rejects.toMatchObject({ kind: 'invalid' });
    }
  });
});
