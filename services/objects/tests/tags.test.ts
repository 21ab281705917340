import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { ListTagsRequest, ListTagsResponse } from '@cadastre/proto/objects';
import type { ObjectKey } from '@cadastre/proto/registry';
import { migrate, openDatabase } from '@cadastre/service';
import { testDatabase, testLogger } from '@cadastre/service/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { readChanges } from '../src/store/changes.js';
import { inetnum, loadText, lookup, person, put, readerOf, remove, tagsOf, useContext } from './test-context.js';

const setup = useContext();

const key = (handle: string) => ({ source: 'TEST', type: 'person', key: handle });

describe('tags', () => {
  test('are added in the order of their identifiers, replaced and removed, each change announced', async () => {
    const { context } = setup;
    const tags = tagsOf(context);
    const start = await put(context, person('TA1-TEST'));
    await tags.attachTag({ keys: [key('TA1-TEST')], tag: { id: 'unref', data: '28' } });
    await tags.attachTag({ keys: [key('ta1-test')], tag: { id: 'checked', data: '' } });
    expect((await lookup(context, 'person', 'TA1-TEST'))!.tags).toEqual([
      { id: 'checked', data: '' },
      { id: 'unref', data: '28' },
    ]);
    const same = await tags.attachTag({ keys: [key('TA1-TEST')], tag: { id: 'unref', data: '28' } });
    expect(same).toEqual({ changed: 0, serial: start + 2n });
    const changed = await tags.attachTag({ keys: [key('TA1-TEST')], tag: { id: 'unref', data: '29' } });
    expect(changed).toEqual({ changed: 1, serial: start + 3n });
    const detached = await tags.detachTag({ keys: [key('TA1-TEST')], tagId: 'unref' });
    expect(detached).toEqual({ changed: 1, serial: start + 4n });
    const object = (await lookup(context, 'person', 'TA1-TEST'))!;
    expect(object.tags).toEqual([{ id: 'checked', data: '' }]);
    expect([object.revision, object.serial]).toEqual([1, start]);
    const all = { after: start - 1n, latestOnly: false };
    const { changes } = await readChanges(context.readPool, context.sources.main.id, all);
    expect(changes.map((change) => change.serial)).toEqual([start, start + 1n, start + 2n, start + 3n, start + 4n]);
    const latest = await readChanges(context.readPool, context.sources.main.id, { ...all, latestOnly: true });
    expect(latest.changes.map((change) => change.serial)).toEqual([start + 4n]);
    expect((await readerOf(context).listVersions({ key: key('TA1-TEST') })).versions).toHaveLength(1);
  });

  test('are added to many objects at once, or to none when one is missing', async () => {
    const { context } = setup;
    await put(context, person('TB1-TEST'));
    await put(context, person('TB2-TEST'));
    const tag = { id: 'many', data: 'x' };
    const missing = tagsOf(context).attachTag({ keys: [key('TB1-TEST'), key('TB9-TEST')], tag });
    await expect(missing).rejects.toMatchObject({ kind: 'not-found' });
    expect((await lookup(context, 'person', 'TB1-TEST'))!.tags).toEqual([]);
    const both = await tagsOf(context).attachTag({ keys: [key('TB1-TEST'), key('TB2-TEST'), key('tb2-test')], tag });
    expect(both.changed).toBe(2);
  });

  test('that were added before the rows of objects held tags are there after the migration', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cadastre-migrations-'));
    const directory = new URL('../migrations/', import.meta.url);
    const older = (await readdir(directory)).filter((name) => name < '0004');
    for (const name of older) await cp(fileURLToPath(new URL(name, directory)), join(folder, name));
    const database = await testDatabase(pathToFileURL(`${folder}/`));
    await rm(folder, { recursive: true });
    const pool = openDatabase(database.url).createPool({ max: 1, applicationName: 'test', statementTimeoutMs: 10_000 });
    await pool.query(`insert into source (name, kind) values ('TEST', 'main')`);
    await pool.query(
      `insert into object (source_id, type, revision, serial, announced, modified, key, text, refs)
       select 1, 16, 1, 1, 1, now(), key, '', '{}' from unnest('{a-mnt,b-mnt}'::text[]) as key`,
    );
    await pool.query(`insert into tag values (1, 16, 'a-mnt', 'unref', '28'), (1, 16, 'a-mnt', 'checked', '')`);
    await migrate({ url: database.url, directory, logger: testLogger() });
    const { rows } = await pool.query('select key, tags from object order by key');
    await pool.end();
    await database.drop();
    const tags = [
      { id: 'checked', data: '' },
      { id: 'unref', data: '28' },
    ];
    expect(rows).toEqual([
      { key: 'a-mnt', tags },
      { key: 'b-mnt', tags: null },
    ]);
  });

  test('are deleted with the object', async () => {
    const { context } = setup;
    await put(context, person('TC1-TEST'));
    await tagsOf(context).attachTag({ keys: [key('TC1-TEST')], tag: { id: 'gone', data: '' } });
    await remove(context, 'person', 'tc1-test');
    await put(context, person('TC1-TEST'));
    expect((await lookup(context, 'person', 'TC1-TEST'))!.tags).toEqual([]);
  });

  test.each([
    ['an empty identifier', '', ''],
    ['a space in the identifier', 'a b', ''],
    ['an identifier of 51 characters', 'a'.repeat(51), ''],
    ['data of 201 characters', 'a', 'x'.repeat(201)],
  ])('%s is refused', async (_what, id, data) => {
    await put(setup.context, person('TD1-TEST'));
    const answer = tagsOf(setup.context).attachTag({ keys: [key('TD1-TEST')], tag: { id, data } });
    await expect(answer).rejects.toMatchObject({ kind: 'invalid' });
  });

  test('no keys and more than 1,000 are refused', async () => {
    for (const keys of [[], new Array(1001).fill(key('TD1-TEST'))]) {
      const answer = tagsOf(setup.context).detachTag({ keys, tagId: 'a' });
      await expect(answer).rejects.toMatchObject({ kind: 'invalid' });
    }
  });
});

describe('a list of tags', () => {
  const alone = useContext();
  const list = (request: Partial<ListTagsRequest> = {}) =>
    tagsOf(alone.context).listTags({ source: '', tagId: '', after: '', limit: 0, ...request });
  const shown = ({ tags }: ListTagsResponse) =>
    tags.map(({ key, tag }) => [key!.source, key!.type, key!.key, tag!.id, tag!.data]);
  const network = ['TEST', 'inetnum', '192.0.2.0 - 192.0.2.255', 'checked', ''];
  const one = ['TEST', 'person', 'tl1-test', 'checked', ''];
  const two = ['TEST', 'person', 'tl1-test', 'unref', '28'];
  const copy = ['EXAMPLE-GRS', 'person', 'tl1-test', 'checked', ''];

  beforeAll(async () => {
    const { context } = alone;
    await put(context, person('TL1-TEST'));
    await put(context, inetnum('192.0.2.0 - 192.0.2.255'));
    await loadText(context, person('TL1-TEST').replace(/(source: +)TEST/, '$1EXAMPLE-GRS'), { source: 'EXAMPLE-GRS' });
    const attach = (keys: ObjectKey[], id: string, data = '') => tagsOf(context).attachTag({ keys, tag: { id, data } });
    await attach([key('TL1-TEST')], 'unref', '28');
    await attach([key('TL1-TEST'), { source: 'TEST', type: 'inetnum', key: '192.0.2.0/24' }], 'checked');
    await attach([{ ...key('TL1-TEST'), source: 'EXAMPLE-GRS' }], 'checked');
  });

  test.each<[string, Partial<ListTagsRequest>, string[][]]>([
    ['of all sources', {}, [network, one, two, copy]],
    ['of one source', { source: 'example-grs' }, [copy]],
    ['with one identifier', { source: 'TEST', tagId: 'unref' }, [two]],
    ['with an identifier that no object has', { tagId: 'absent' }, []],
  ])('has each tag with its object: %s', async (_, request, expected) => {
    const page = await list(request);
    expect([shown(page), page.next]).toEqual([expected, '']);
  });

  test.each([{}, { tagId: 'checked' }])('goes on after each page (%j)', async (request) => {
    const whole = shown(await list(request));
    const pages: string[][][] = [];
    let after = '';
    do {
      const page = await list({ ...request, after, limit: 1 });
      pages.push(shown(page));
      after = page.next;
    } while (after !== '');
    expect(pages).toEqual([...whole.map((tag) => [tag]), []]);
  });

  test.each<[string, Partial<ListTagsRequest>]>([
    ['an unknown source', { source: 'NOWHERE' }],
    ['a bad identifier', { tagId: 'a b' }],
    ['no place', { after: 'TEST' }],
    ['a place in an unknown source', { after: 'NOWHERE person a tl1-test' }],
    ['a place in an unknown type', { after: 'TEST planet a tl1-test' }],
    ['a place with a character that no key has', { after: 'TEST person a tl1\0test' }],
  ])('is refused for %s', async (_, request) => {
    await expect(list(request)).rejects.toMatchObject({ kind: 'invalid' });
  });

  test('has at most 1,000 in a page', async () => {
    const { context } = alone;
    await context.writePool.query(
      `insert into tag select $1, 16, 'many-' || number || '-mnt', 'many', '' from generate_series(1, 1001) as number`,
      [context.sources.main.id],
    );
    const pages = await Promise.all([0, 1_000_000].map((limit) => list({ tagId: 'many', limit })));
    expect(pages.map(({ tags }) => tags.length)).toEqual([1_000, 1_000]);
    const rest = await list({ tagId: 'many', after: pages[0]!.next });
    expect([rest.tags.length, rest.next]).toEqual([1, '']);
  });
});
