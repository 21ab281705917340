import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdtemp, open, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { testLogger } from '@cadastre/service/testing';
import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';
import { indexDocument } from '../src/document.js';
import { createEmbeddedIndex } from '../src/embedded/embedded-index.js';
import type { NamePosition, SearchIndex, Shown } from '../src/index-port.js';
import { document, fill, keys, pages } from './contract/documents.js';
import { indexContract } from './index-contract.js';
import { collect } from './searching.js';

async function opened(directory: string): Promise<SearchIndex> {
  const index = createEmbeddedIndex({ directory, logger: testLogger() });
  await index.start();
  return index;
}

indexContract(async () => {
  const directory = await mkdtemp(join(tmpdir(), 'cadastre-index-'));
  const index = createEmbeddedIndex({ directory, logger: testLogger() });
  return { index, close: () => rm(directory, { recursive: true }) };
});

const source = 'TEST';
const all = { kind: 'terms', type: 'mntner', anyOf: [['mnt-by=all-mnt']], order: 'key' } as const;
const many = Array.from({ length: 2_000 }, (_, n) => {
  return document({ source, type: 'mntner', key: `m${1000 + n}-mnt`, terms: ['mnt-by=all-mnt'] });
});

describe('files', () => {
  let directory: string;
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'cadastre-index-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  /** The file in use. */
  const file = () => join(directory, readdirSync(directory).find((name) => name.endsWith('.sqlite'))!);

  test('an index resumes where it was, with one file for each source', async () => {
    const first = await opened(directory);
    await fill(first, source, many);
    const rebuild = await first.beginRebuild(source, { serial: 1n });
    await rebuild.fill(many.slice(0, 3), 'page 1');
    expect(await rebuild.finish({ serial: 1n, instant: new Date(5) })).toBe(true);
    await first.stop();
    expect(readdirSync(directory).filter((name) => name.endsWith('.sqlite'))).toHaveLength(1);
    const second = await opened(directory);
    expect(await second.position(source)).toMatchObject({ serial: 1n, instant: new Date(5) });
    expect(await keys(second, source, all)).toEqual(many.slice(0, 3).map(({ key }) => key));
    expect(await second.rebuildState(source)).toMatchObject({ id: rebuild.id, phase: 'finished' });
    await second.stop();
  });

  test.each<[string, () => Promise<void>]>([
    ['is no database', () => writeFile(file(), 'nonsense'.repeat(4_096))],
    ['is empty', () => writeFile(file(), '')],
    ['lacks its end', () => truncate(file(), 8_192)],
    ['has other bytes in it', async () => overwrite(file())],
  ])('a file that %s is set aside, reported, and built again', async (_what, damage) => {
    const whole = await opened(directory);
    await fill(whole, source, many);
    await whole.stop();
    await damage();
    const index = await opened(directory);
    // Some damage shows only when it is read.
    const found = await keys(index, source, all).catch((error: unknown) => error);
    if (await index.position(source)) expect(found).toEqual(many.map(({ key }) => key));
    else expect([[], 'unavailable']).toContainEqual((found as { kind?: string }).kind ?? found);
    expect(await index.position(source)).toBeUndefined();
    const rebuild = await index.beginRebuild(source, { serial: 1n });
    await rebuild.fill(many, 'page 1');
    expect(await rebuild.finish({ serial: 1n })).toBe(true);
    expect(await keys(index, source, all)).toEqual(many.map(({ key }) => key));
    await index.stop();
  });

  test('a rebuild that begins during the first batch leaves the index that the batch makes', async () => {
    const index = await opened(directory);
    const applied = fill(index, source, many.slice(0, 3));
    while (!readdirSync(directory).some((name) => name.endsWith('.sqlite'))) await setImmediate();
    const rebuild = await index.beginRebuild(source, { serial: 0n });
    await applied;
    await rebuild.abandon(undefined);
    expect(await keys(index, source, all)).toEqual(many.slice(0, 3).map(({ key }) => key));
    await index.stop();
  });

  test('what was acknowledged is there, whenever the process is killed', { timeout: 240_000 }, async () => {
    let acknowledged = 0;
    for (let round = 0; round < inject('counts').indexKills; round++) {
      const program = fileURLToPath(new URL('embedded-writer.mjs', import.meta.url));
      const child = spawn(process.execPath, [program, directory], { stdio: ['ignore', 'pipe', 'inherit'] });
      const exited = once(child, 'exit');
      const killAt = acknowledged + 20 + 37 * round;
      for await (const line of createInterface({ input: child.stdout })) {
        const [what, serial] = line.split(' ');
        if (what === 'begun') expect(Number(serial)).toBeGreaterThanOrEqual(acknowledged);
        else acknowledged = Number(serial);
        if (acknowledged === killAt) child.kill('SIGKILL');
      }
      expect(await exited).toEqual([null, 'SIGKILL']);
      const index = await opened(directory);
      const serial = Number((await index.position(source))!.serial);
      expect(serial).toBeGreaterThanOrEqual(acknowledged);
      // The newest state of each object, found by its own term and by no older one.
      const objects = (await pages(index, source, all)).flat();
      const newest = Array.from({ length: Math.min(50, serial) }, (_, n) => serial - n);
      expect(objects.map((one) => Number(one.serial)).sort((a, b) => b - a)).toEqual(newest);
      expect(await index.count(source)).toBe(BigInt(newest.length));
      const byTerm = async (one: number) => keys(index, source, { ...all, anyOf: [[`mnt-by=serial-${one}`]] });
      expect(await byTerm(serial)).toEqual([`m${serial % 50}-mnt`]);
      if (serial > 50) expect(await byTerm(serial - 50)).toEqual([]);
      await index.stop();
    }
  });

  test.each<[string, string, Shown]>([
    [
      'nothing to hide',
      'mntner: Example-MNT\nadmin-c: JD1-TEST\ntech-c: jd1-test\ntech-c: AB2-TEST\nsource: TEST\n',
      {
        key: 'Example-MNT',
        handles: ['jd1-test', 'ab2-test'],
      },
    ],
    [
      'mail addresses',
      'mntner: EXAMPLE-MNT\nnotify: jo@example.net\nsource: TEST\n',
      {
        key: 'EXAMPLE-MNT',
        text: 'mntner:         EXAMPLE-MNT\nsource:         TEST # Filtered\n',
        handles: [],
      },
    ],
  ])('what responses show is kept with the object: %s', async (_what, text, shown) => {
    const lacking = { key: 'EXAMPLE-MNT', tags: [], contacts: [], created: undefined, lastModified: new Date(0) };
    const indexed = indexDocument({ source, type: 'mntner', text, revision: 1, serial: 1n, ...lacking })!;
    expect(indexed.shown).toEqual(shown);
    const index = await opened(directory);
    await fill(index, source, [indexed]);
    const { objects } = await index.load([indexed]);
    expect(objects).toMatchObject([{ text, shown }]);
    expect(Object.keys(objects[0]!.shown!).sort()).toEqual(Object.keys(shown).sort());
    await index.stop();
  });

  test('of very many objects with a word the first ones are counted, and the best ones are among them', async () => {
    const index = await opened(directory);
    const many = 10_000;
    const worded = (type: 'mntner' | 'organisation', key: string, rank: number) =>
      document({ source: 'TEST', type, key, words: new Map([['common', rank]]) });
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
    await index.stop();
  });

  test('a page compares a bounded number of names, and says where the next one continues', async () => {
    const index = await opened(directory);
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
    const rebuild = await index.beginRebuild('TEST', { serial: 1n });
    await rebuild.fill(Array.from({ length: many }, (_, number) => named(number)));
    expect(await rebuild.finish({ serial: 1n })).toBe(true);
    const query = { field: 'name', pattern: { prefix: 'ab', text: 'ab*z' }, types: ['person', 'role'] } as const;
    const pages: string[][] = [];
    let after: NamePosition | undefined;
    do {
      const requested = { ...query, limit: 10, ...(after && { after }) };
      const found = (await index.searchNames('TEST', requested, new AbortController().signal))!;
      pages.push((await collect(found.pages)).flat().map(({ key }) => key));
      after = found.next;
    } while (after !== undefined);
    expect(pages).toEqual([[], [], [`aa${many - 1}-test`]]);
    expect(await index.countNames('TEST', query, new AbortController().signal)).toBeUndefined();
    await index.stop();
  });
});

/** Replaces all but the first pages. */
async function overwrite(path: string): Promise<void> {
  const { size } = await stat(path);
  const handle = await open(path, 'r+');
  await handle.write(Buffer.alloc(size - 16_384, 0x5a), 0, size - 16_384, 16_384);
  await handle.close();
}
