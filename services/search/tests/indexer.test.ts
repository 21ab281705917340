import { readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { testLogger } from '@cadastre/service/testing';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createEmbeddedIndex } from '../src/embedded/embedded-index.js';
import type { SearchIndex } from '../src/index-port.js';
import { createIndexer, type Indexer } from '../src/indexer/indexer.js';
import { keys } from './contract/documents.js';
import { indexDirectory } from './index-directory.js';
import { createRegistry, type Registry } from './registry.js';

const all = { kind: 'terms', type: 'mntner', anyOf: [['mnt-by=root-mnt']], order: 'key' } as const;

let directory: Awaited<ReturnType<typeof indexDirectory>>;
let index: SearchIndex;
let registry: Registry;
const indexers: Indexer[] = [];

beforeEach(async () => {
  directory = await indexDirectory();
  index = createEmbeddedIndex({ directory: directory.path, logger: testLogger() });
  registry = createRegistry(['TEST']);
  await index.start();
});

afterEach(async () => {
  for (const indexer of indexers.splice(0)) await indexer.stop();
  await index.stop();
  await directory.remove();
});

/** One process with an indexer; several may share the index. */
async function startIndexer(over: SearchIndex = index, resumeMs = 60_000): Promise<Indexer> {
  const pauses = { firstMs: 5, maxMs: 20 };
  const { backend } = registry;
  const indexer = createIndexer({ index: over, backend, sources: ['TEST'], logger: testLogger(), pauses, resumeMs });
  indexers.push(indexer);
  await indexer.start();
  return indexer;
}

/** With two objects; the first build has ended. */
async function startFollowing(): Promise<Indexer> {
  const indexer = await startIndexer(index, 20);
  await reached(indexer, put('A-MNT'));
  await reached(indexer, put('B-MNT'));
  return indexer;
}

/** A search for unfinished rebuilds may hold the lock for a moment. */
async function askForRebuild(indexer: Indexer): Promise<string> {
  let id: string | undefined;
  await expect
    .poll(async () => {
      id = await indexer.rebuild('TEST').catch(() => undefined);
      return id;
    })
    .toBeDefined();
  return id!;
}

function put(name: string): bigint {
  return registry.put(`mntner: ${name}\nmnt-by: ROOT-MNT\nsource: TEST\n`);
}

function reached(indexer: Indexer, serial: bigint): Promise<void> {
  return indexer.reached('TEST', serial, AbortSignal.timeout(60_000));
}

const found = () => keys(index, 'TEST', all);

test('an empty index begins with an export and continues with the feed', async () => {
  put('A-MNT');
  put('B-MNT');
  registry.remove('mntner', 'A-MNT');
  const indexer = await startIndexer();
  await reached(indexer, 3n);
  expect(await found()).toEqual(['b-mnt']);
  expect(registry.exports()).toBe(1);
  put('C-MNT');
  await reached(indexer, registry.remove('mntner', 'b-mnt'));
  expect(await found()).toEqual(['c-mnt']);
  expect(registry.exports()).toBe(1);
});

test('an index with fewer objects than the registry has had changes since is rebuilt from an export', async () => {
  const first = await startIndexer();
  await reached(first, put('A-MNT'));
  await first.stop();
  for (let number = 1; number < 20_002; number++) put(`B${number % 3}-MNT`);
  const second = await startIndexer();
  await reached(second, put('C-MNT'));
  expect(await found()).toEqual(['a-mnt', 'b0-mnt', 'b1-mnt', 'b2-mnt', 'c-mnt']);
  expect(registry.exports()).toBe(2);
});

test('a serial that no write has had is refused at once', async () => {
  const indexer = await startIndexer();
  const newest = put('A-MNT');
  await reached(indexer, newest);
  await expect(reached(indexer, newest + 1n)).rejects.toMatchObject({
    kind: 'out-of-range',
    message: expect.stringContaining('the newest of TEST is 1'),
  });
});

test('a restarted indexer continues from the stored position', async () => {
  const first = await startIndexer();
  await reached(first, put('A-MNT'));
  await first.stop();
  put('B-MNT');
  const second = await startIndexer();
  await reached(second, 2n);
  expect(await found()).toEqual(['a-mnt', 'b-mnt']);
  expect(registry.exports()).toBe(1);
});

test('an outage of the registry loses nothing', async () => {
  const indexer = await startIndexer();
  await reached(indexer, put('A-MNT'));
  registry.goAway();
  const late = put('B-MNT');
  await expect(indexer.reached('TEST', late, AbortSignal.timeout(300))).rejects.toThrow();
  expect(await found()).toEqual(['a-mnt']);
  registry.comeBack();
  await reached(indexer, late);
  expect(await found()).toEqual(['a-mnt', 'b-mnt']);
  expect(await index.count('TEST')).toBe(2n);
});

test('a batch that fails halfway is applied again', async () => {
  let failures = 3;
  const flaky: SearchIndex = {
    ...index,
    apply: async (source, batch) => {
      const isApplied = failures % 2 === 0;
      if (isApplied) await index.apply(source, batch);
      if (batch.documents.length > 0 && failures-- > 0) throw new Error('broken');
      if (!isApplied) await index.apply(source, batch);
    },
  };
  const indexer = await startIndexer(flaky);
  await reached(indexer, 0n);
  for (const name of ['A-MNT', 'B-MNT', 'C-MNT']) put(name);
  await reached(indexer, 3n);
  put('D-MNT');
  put('E-MNT');
  await reached(indexer, 5n);
  expect(await found()).toEqual(['a-mnt', 'b-mnt', 'c-mnt', 'd-mnt', 'e-mnt']);
  expect(await index.count('TEST')).toBe(5n);
});

test('a change is one batch, and a heartbeat none', async () => {
  const applied: number[] = [];
  const counted: SearchIndex = {
    ...index,
    apply: async (source, batch) => {
      applied.push(batch.documents.length + batch.deletions.length);
      await index.apply(source, batch);
    },
  };
  const indexer = await startIndexer(counted);
  await reached(indexer, put('A-MNT'));
  await reached(indexer, put('B-MNT'));
  const before = applied.length;
  await reached(indexer, put('C-MNT'));
  await reached(indexer, registry.remove('mntner', 'A-MNT'));
  expect(applied.slice(before)).toEqual([1, 1]);
  const confirmed = indexer.confirmed('TEST');
  await expect
    .poll(() => {
      registry.beat();
      return indexer.confirmed('TEST');
    })
    .not.toEqual(confirmed);
  expect(applied.slice(before)).toEqual([1, 1]);
});

test('two indexers share one index', async () => {
  const [one, other] = [await startIndexer(), await startIndexer()];
  for (let i = 0; i < 50; i++) put(`M${i % 10}-MNT`);
  await reached(one, 50n);
  const last = registry.remove('mntner', 'M3-MNT');
  await Promise.all([reached(one, last), reached(other, last)]);
  expect(await found()).toEqual([0, 1, 2, 4, 5, 6, 7, 8, 9].map((i) => `m${i}-mnt`));
  expect(await index.count('TEST')).toBe(9n);
});

test('a rebuild serves the old index, applies concurrent changes, and follows the feed', async () => {
  const indexer = await startIndexer();
  for (let i = 0; i < 20; i++) put(`M${i}-MNT`);
  await reached(indexer, 20n);
  const release = registry.holdExports();
  await indexer.rebuild('TEST');
  await expect(indexer.rebuild('TEST')).rejects.toMatchObject({ kind: 'conflict' });
  await reached(indexer, put('DURING-MNT'));
  await reached(indexer, registry.remove('mntner', 'M3-MNT'));
  expect(indexer.isRebuilding('TEST')).toBe(true);
  expect(await index.count('TEST')).toBe(20n);
  release();
  for (let i = 0; indexer.isRebuilding('TEST'); i++) await reached(indexer, put(`M${i % 20}-MNT`));
  const after = put('LAST-MNT');
  await reached(indexer, after);
  const names = await found();
  expect(names).toContain('during-mnt');
  expect(names).toContain('last-mnt');
  expect(await index.count('TEST')).toBe(BigInt(names.length));
  expect(registry.exports()).toBe(2);
});

/** Names that sort like their numbers. */
const nameOf = (number: number) => `M${String(number).padStart(4, '0')}-MNT`;

test('a build continues after the last page of a broken export, with what changed before that page', async () => {
  for (let number = 0; number < 1_300; number++) put(nameOf(number));
  registry.breakExport(2);
  const release = registry.holdExports();
  const indexer = await startIndexer();
  await expect.poll(() => registry.exports()).toBe(1);
  put('A-MNT');
  registry.remove('mntner', nameOf(1));
  release();
  await reached(indexer, 1_302n);
  const names = await found();
  expect([names.length, names[0], names.includes(nameOf(1).toLowerCase())]).toEqual([1_300, 'a-mnt', false]);
  // The export began before the first object was added: its first two pages have 1,000 objects.
  expect(registry.exportedAfter()).toEqual([undefined, `mntner ${nameOf(999).toLowerCase()}`]);
  expect(await index.count('TEST')).toBe(1_300n);
});

/** Begins the first build and stops its process after the first of two pages, with 500 of 700 objects. */
async function interruptBuild(): Promise<void> {
  for (let number = 0; number < 700; number++) put(nameOf(number));
  let pages = 0;
  const filled = Promise.withResolvers<void>();
  const slow: SearchIndex = {
    ...index,
    beginRebuild: async (...given) => {
      const rebuild = await index.beginRebuild(...given);
      const fill: typeof rebuild.fill = async (...page) => {
        await rebuild.fill(...page);
        if (++pages === 1) filled.resolve();
      };
      return { ...rebuild, fill };
    },
  };
  registry.breakExport(1);
  const first = await startIndexer(slow);
  await filled.promise;
  registry.goAway();
  await first.stop();
  expect(await index.rebuildState('TEST')).toMatchObject({ phase: 'export', objects: 500n });
  registry.comeBack();
}

test('a build continues after a restart where it was', async () => {
  await interruptBuild();
  const second = await startIndexer();
  await reached(second, 700n);
  expect(registry.exportedAfter().at(-1)).toBe(secondPage);
  expect(await index.count('TEST')).toBe(700n);
});

const secondPage = `mntner ${nameOf(499).toLowerCase()}`;

test.each([
  ['less far', 600, [undefined, undefined]],
  ['as far', 700, [undefined, undefined]],
  // Only the feed knows that its change 700 is another one.
  ['further', 800, [undefined, secondPage, undefined]],
])('an interrupted build begins again when the registry was restored and is %s now', async (_, newest, exports) => {
  await interruptBuild();
  registry.rewind(400n);
  for (let number = 400; number < newest; number++) put(`NEW-${number}-MNT`);
  const second = await startIndexer();
  await reached(second, BigInt(newest));
  const names = await found();
  expect([names.length, names.filter((name) => name.startsWith('m')).length]).toEqual([newest, 400]);
  expect(registry.exportedAfter()).toEqual(exports);
});

test('a requested rebuild continues in another process when its own one stops', async () => {
  const [requested, other] = [await startFollowing(), await startIndexer(index, 20)];
  const release = registry.holdExports();
  const id = await askForRebuild(requested);
  await requested.stop();
  await expect.poll(() => other.isRebuilding('TEST')).toBe(true);
  release();
  await expect.poll(() => index.rebuildState('TEST')).toMatchObject({ id, phase: 'finished' });
  expect(await found()).toEqual(['a-mnt', 'b-mnt']);
});

test('a rebuild waits while the registry is unavailable, and says why', async () => {
  const indexer = await startFollowing();
  registry.breakExport(0);
  const release = registry.holdExports();
  const id = await askForRebuild(indexer);
  registry.goAway();
  release();
  const failure = expect.stringContaining('away');
  await expect.poll(() => index.rebuildState('TEST')).toMatchObject({ id, phase: 'export', failure });
  registry.comeBack();
  await expect.poll(() => index.rebuildState('TEST')).toMatchObject({ id, phase: 'finished', failure: undefined });
});

test('a rebuild that the disk refuses ends, says why, and leaves the index in use', async () => {
  const failure = 'database or disk is full';
  const full: SearchIndex = {
    ...index,
    beginRebuild: async (...given) => {
      const rebuild = await index.beginRebuild(...given);
      const isFirst = (await index.position('TEST')) === undefined;
      return isFirst ? rebuild : { ...rebuild, finish: () => Promise.reject(new Error(failure)) };
    },
  };
  const indexer = await startIndexer(full, 20);
  await reached(indexer, put('A-MNT'));
  await reached(indexer, put('B-MNT'));
  const sizes = () => readdirSync(directory.path).filter((name) => name.endsWith('.sqlite')).length;
  const id = await askForRebuild(indexer);
  await expect.poll(() => index.rebuildState('TEST')).toMatchObject({ id, phase: 'failed', failure });
  // The index, and the file that reports the failure.
  expect(sizes()).toBe(2);
  await reached(indexer, put('C-MNT'));
  expect(await found()).toEqual(['a-mnt', 'b-mnt', 'c-mnt']);
});

test('an index that is damaged while it is in use is built again, and answers nothing meanwhile', async () => {
  const indexer = await startFollowing();
  const file = readdirSync(directory.path).find((name) => name.endsWith('.sqlite'))!;
  await writeFile(join(directory.path, file), 'nonsense'.repeat(4_096));
  const count = () => index.countByType('TEST', [all], new AbortController().signal);
  await expect(count()).rejects.toMatchObject({ kind: 'unavailable' });
  expect(await index.position('TEST')).toBeUndefined();
  await expect(index.check()).rejects.toThrow('TEST');
  // Also without a change, and never an index with some of the objects.
  registry.beat();
  await expect.poll(count).toMatchObject({ counts: [2] });
  await index.check();
  await reached(indexer, put('C-MNT'));
  expect(await found()).toEqual(['a-mnt', 'b-mnt', 'c-mnt']);
  const lost = { after: 2n, documents: [], deletions: [], serial: 3n };
  await expect(index.apply('OTHER', lost)).rejects.toMatchObject({ kind: 'conflict' });
  expect(await index.position('OTHER')).toBeUndefined();
});

test('a registry restored to an earlier state is indexed again', async () => {
  const first = await startIndexer();
  put('A-MNT');
  put('B-MNT');
  await reached(first, put('C-MNT'));
  await first.stop();
  registry.rewind(1n);
  await startIndexer();
  await expect.poll(found).toEqual(['a-mnt']);
  expect((await index.position('TEST'))?.serial).toBe(1n);
});

test('an index follows the registry from the first answer of the feed on, and not while one before a restore is replaced', async () => {
  const first = await startIndexer();
  await reached(first, put('A-MNT'));
  await reached(first, put('LOST-MNT'));
  expect(first.isFollowing('TEST')).toBe(true);
  registry.goAway();
  await expect.poll(() => first.isFollowing('TEST')).toBe(false);
  registry.rewind(1n);
  const release = registry.holdExports();
  registry.comeBack();
  await expect.poll(() => index.rebuildState('TEST')).toMatchObject({ phase: 'export' });
  expect([first.isFollowing('TEST'), await found()]).toEqual([false, ['a-mnt', 'lost-mnt']]);
  release();
  await expect.poll(() => first.isFollowing('TEST')).toBe(true);
  expect(await found()).toEqual(['a-mnt']);
});

test('a registry restored to an earlier state, and written to since, is indexed again', async () => {
  const first = await startIndexer();
  put('A-MNT');
  put('LOST-MNT');
  await reached(first, put('B-MNT'));
  await first.stop();
  registry.rewind(1n);
  put('C-MNT');
  put('D-MNT');
  put('E-MNT');
  const second = await startIndexer();
  await reached(second, put('F-MNT'));
  await expect.poll(found).toEqual(['a-mnt', 'c-mnt', 'd-mnt', 'e-mnt', 'f-mnt']);
  expect(registry.exports()).toBe(2);
});

test('an index without changes since its rebuild notices that the registry was restored, too', async () => {
  put('A-MNT');
  put('LOST-MNT');
  const first = await startIndexer();
  await reached(first, 2n);
  await first.stop();
  registry.rewind(1n);
  put('B-MNT');
  const second = await startIndexer();
  await reached(second, put('C-MNT'));
  await expect.poll(found).toEqual(['a-mnt', 'b-mnt', 'c-mnt']);
});

test('an index that is behind the oldest change of the feed is rebuilt from an export', async () => {
  const first = await startIndexer();
  await reached(first, put('A-MNT'));
  await first.stop();
  put('B-MNT');
  registry.remove('mntner', 'A-MNT');
  const trimmed = put('C-MNT');
  registry.trim(trimmed);
  const second = await startIndexer();
  await reached(second, trimmed);
  expect(await found()).toEqual(['b-mnt', 'c-mnt']);
  expect(registry.exports()).toBe(2);
  await reached(second, put('D-MNT'));
  expect(await found()).toEqual(['b-mnt', 'c-mnt', 'd-mnt']);
  expect(registry.exports()).toBe(2);
});

test('says that it rebuilds when it begins, not while another process rebuilds', async () => {
  const first = await startIndexer();
  await reached(first, put('A-MNT'));
  await first.stop();
  const trimmed = put('B-MNT');
  registry.trim(trimmed);
  const other = await index.beginRebuild('TEST', { serial: trimmed, instant: undefined });
  const warn = vi.spyOn(testLogger(), 'warn');
  const begin = vi.spyOn(index, 'beginRebuild');
  onTestFinished(() => void vi.restoreAllMocks());
  const said = () =>
    warn.mock.calls.filter(([, text]) => String(text).includes('no longer has the next change')).length;
  const second = await startIndexer();
  await expect.poll(() => begin.mock.calls.length).toBeGreaterThan(1);
  expect(said()).toBe(0);
  await other.suspend();
  await reached(second, trimmed);
  expect(said()).toBe(1);
});

test('waiting for a serial ends when the caller cancels', async () => {
  const indexer = await startIndexer();
  const cancel = new AbortController();
  const waiting = indexer.reached('TEST', 99n, cancel.signal);
  cancel.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
});
