import { testDatabase, testLogger } from '@cadastre/service/testing';
import pg from 'pg';
import { describe, expect, test } from 'vitest';
import type { NamePlace } from '../src/index-port.js';
import { createPostgresIndex } from '../src/postgres/postgres-index.js';
import { add, document, keys } from './contract/documents.js';
import { indexContract } from './index-contract.js';
import { collect } from './searching.js';

const migrations = new URL('../migrations/', import.meta.url);

describe.each<[string, boolean]>([
  ['the index in PostgreSQL', false],
  ['the index in PostgreSQL with a read replica that is always current', true],
])('%s', (_, hasReplica) => {
  indexContract(async () => {
    const { url, drop: close } = await testDatabase(migrations);
    const replicas = hasReplica ? { url, logger: testLogger() } : undefined;
    return { index: createPostgresIndex({ url, connections: 4, replicas }), close };
  });
});

test('indexes of other releases stay as they are until this one has its own and is rebuilt', async () => {
  const database = await testDatabase(migrations);
  const index = createPostgresIndex({ url: database.url, connections: 4 });
  const admin = new pg.Client(database.url);
  await admin.connect();
  try {
    // As release 0.2 and a later one leave theirs, of a source each of them has and of another one.
    await admin.query(`
      insert into generation (source) values ('TEST'), ('OTHER');
      insert into source_index select source, number, 1, 7, now(), 1 from generation;
      insert into format_generation (source, format) values ('TEST', 99);
      insert into format_index select source, format, number, 8, null, now(), 1 from format_generation;
      insert into rebuild (source, format, generation, phase, back, serial)
        select source, format, number, 'finished', false, 8 from format_generation;
      create table document_1 (); create table host_1 ();
      create table document_2 (); create table host_2 ();
      create table document_3 (); create table host_3 ();`);
    const foreign = async () => {
      const { rows } = await admin.query(`
        select 'source_index ' || source as row from source_index
        union all select 'generation ' || number from generation
        union all select 'format_index ' || format from format_index where format = 99
        union all select 'format_generation ' || number from format_generation where format = 99
        union all select 'rebuild ' || format from rebuild where format = 99
        union all select relname from pg_class where relname ~ '^(document|host)_[123]$'
        order by 1`);
      return rows.map(({ row }) => row);
    };
    const all = await foreign();
    const ofAnotherSource = ['document_2', 'generation 2', 'host_2', 'source_index OTHER'];
    expect(await index.position('TEST')).toBeUndefined();
    const build = async (key: string) => {
      const rebuild = await index.beginRebuild('TEST', { serial: 9n }, { fresh: true });
      await add(rebuild, [document({ source: 'TEST', type: 'mntner', key, terms: ['mnt-by=root-mnt'] })]);
      expect(await rebuild.finish({ serial: 9n })).toBe(true);
    };
    await build('first-mnt');
    expect(await foreign()).toEqual(all);
    const query = { kind: 'terms', type: 'mntner', anyOf: [['mnt-by=root-mnt']], order: 'key' } as const;
    expect(await keys(index, 'TEST', query)).toEqual(['first-mnt']);
    await build('second-mnt');
    expect(await foreign()).toEqual(ofAnotherSource);
    expect(await keys(index, 'TEST', query)).toEqual(['second-mnt']);
  } finally {
    await admin.end();
    await index.stop();
    await database.drop();
  }
});

test('of very many objects with a word the first ones are counted, and the best ones are among them', async () => {
  const database = await testDatabase(migrations);
  const index = createPostgresIndex({ url: database.url, connections: 4 });
  const many = 10_000;
  const worded = (type: 'mntner' | 'organisation', key: string, rank: number) =>
    document({ source: 'TEST', type, key, words: new Map([['common', rank]]) });
  try {
    const rebuild = await index.beginRebuild('TEST', { serial: 1n });
    await rebuild.fill(Array.from({ length: many + 10 }, (_, n) => worded('mntner', `m${n}-mnt`, 1)));
    await rebuild.fill([worded('organisation', 'org-1-test', 0), worded('mntner', 'common-mnt', 0)]);
    expect(await rebuild.finish({ serial: 1n })).toBe(true);
    const query = { words: ['common'], key: '', name: '', types: ['mntner', 'organisation'], limit: 2 } as const;
    const { counts, isPartial, pages } = (await index.searchWords('TEST', query, new AbortController().signal))!;
    const found = (await collect(pages)).flat().map(({ key }) => key);
    expect({ isPartial, found }).toEqual({ isPartial: true, found: ['common-mnt', 'org-1-test'] });
    expect(counts.get('organisation')).toBe(1);
    expect(counts.get('mntner')).toBeLessThan(many + 10);
    const ofRareType = await index.searchWords(
      'TEST',
      { ...query, types: ['organisation'] },
      new AbortController().signal,
    );
    expect({ ...ofRareType, pages: [] }).toMatchObject({ counts: new Map([['organisation', 1]]), isPartial: false });
  } finally {
    await index.stop();
    await database.drop();
  }
});

test('a page compares a bounded number of names, and says where the next one continues', async () => {
  const database = await testDatabase(migrations);
  const index = createPostgresIndex({ url: database.url, connections: 4 });
  const many = 12_000;
  const named = (number: number) => {
    const key = `aa${number}-test`;
    return document({
      source: 'TEST',
      type: 'person',
      key,
      personName: `ab ${10_000 + number}${number === many - 1 ? ' z' : ''}`,
    });
  };
  try {
    const rebuild = await index.beginRebuild('TEST', { serial: 1n });
    await rebuild.fill(Array.from({ length: many }, (_, number) => named(number)));
    expect(await rebuild.finish({ serial: 1n })).toBe(true);
    const query = { field: 'name', pattern: { prefix: 'ab', text: 'ab*z' }, types: ['person', 'role'] } as const;
    const pages: string[][] = [];
    let after: NamePlace | undefined;
    do {
      const asked = { ...query, limit: 10, ...(after && { after }) };
      const found = (await index.searchNames('TEST', asked, new AbortController().signal))!;
      pages.push((await collect(found.pages)).flat().map(({ key }) => key));
      after = found.next;
    } while (after !== undefined);
    expect(pages).toEqual([[], [], [`aa${many - 1}-test`]]);
    expect(await index.countNames('TEST', query, new AbortController().signal)).toBeUndefined();
  } finally {
    await index.stop();
    await database.drop();
  }
});
