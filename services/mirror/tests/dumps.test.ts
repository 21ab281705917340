import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { objectTypeNames, splitDump } from '@cadastre/rpsl';
import { createMetrics, inTransaction, openDatabase } from '@cadastre/service';
import { fixedClock, testDatabase, testLogger } from '@cadastre/service/testing';
import type { Pool } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDumpMetrics, type DumpJobOptions, writeDueDumps } from '../src/dumps/dump-job.js';
import type { FileStore } from '../src/files/file-store.js';
import { folderStore } from '../src/files/folder.js';
import type { Lease } from '../src/leases.js';
import { publicSources, wholeSource } from '../src/public-source.js';
import { mntner, person, role, route } from './publishing.fixture.js';
import { createRegistry, type Registry } from './registry.fixture.js';

let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
let folder: string;
let registry: Registry;
let clock: ReturnType<typeof fixedClock>;
let options: DumpJobOptions;
let metrics: ReturnType<typeof createMetrics>;
let lost: AbortController;

beforeAll(async () => {
  database = await testDatabase(new URL('../migrations/', import.meta.url));
  pool = openDatabase(database.url).createPool({ max: 2, applicationName: 'test', statementTimeoutMs: 60_000 });
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});
beforeEach(async () => {
  await pool.query('delete from dump');
  folder = await mkdtemp(path.join(tmpdir(), 'cadastre-dumps-'));
  registry = createRegistry('EXAMPLE');
  registry.put(texts.join('\n\n'));
  clock = fixedClock('2026-01-02T03:04:05Z');
  metrics = createMetrics('mirror');
  lost = new AbortController();
  options = {
    sources: [wholeSource('EXAMPLE')],
    time: '03:30',
    termsUrl: 'https://www.example.net/terms',
    pool,
    store: folderStore(folder),
    maxBytes: 1_000_000_000,
    objects: registry.objects,
    now: clock.now,
    logger: testLogger(),
    metrics: createDumpMetrics(metrics, ['EXAMPLE']),
  };
});
afterEach(() => rm(folder, { recursive: true }));

/** The name of an organisation has a character outside ASCII, which dumps preserve. */
const organisation = `organisation:   ORG-EX1-EXAMPLE
org-name:       Exämple
org-type:       OTHER
address:        1 Secret Street
e-mail:         office@example.net
mnt-ref:        EXAMPLE-MNT
mnt-by:         EXAMPLE-MNT
source:         EXAMPLE`;
const elsewhere = route('EXAMPLE', 9)
  .replace('EXAMPLE\n', 'EXAMPLE-NONAUTH\n')
  .replace(/EXAMPLE$/, 'EXAMPLE-NONAUTH');
const texts = [
  ...[1, 2, 3].map((number) => route('EXAMPLE', number)),
  mntner('EXAMPLE'),
  person('EXAMPLE'),
  organisation,
  role('EXAMPLE'),
  elsewhere,
];

const lease = (): Lease => ({
  name: 'dumps',
  signal: lost.signal,
  transaction: (fn) => inTransaction(pool, fn),
});
const write = (changes: Partial<DumpJobOptions> = {}) => writeDueDumps({ ...options, ...changes }, lease());
const read = (name: string, source = 'example') => readFile(path.join(folder, 'dumps', source, name));
const unpacked = async (name: string, source?: string) =>
  gunzipSync(await read(name, source)).toString(/utf8/.test(name) ? 'utf8' : 'latin1');
const serial = async () => (await read('EXAMPLE.CURRENTSERIAL')).toString();

async function objectsIn(name: string): Promise<string[]> {
  const found: string[] = [];
  for await (const { text } of splitDump(Readable.from([await unpacked(name)]))) found.push(text);
  return found;
}

test('a dump has all files of one moment', async () => {
  expect(await write()).toEqual([]);
  const names = ['latin1', 'utf8'].flatMap((encoding) => {
    const end = encoding === 'utf8' ? '.utf8.gz' : '.gz';
    return [`example.db${end}`, ...objectTypeNames.map((type) => `split/example.db.${type}${end}`)];
  });
  const all = [...names, 'EXAMPLE.CURRENTSERIAL'].sort();
  const stored = await readdir(path.join(folder, 'dumps/example/'), { recursive: true });
  expect(stored.filter((name) => name !== 'split').sort()).toEqual([...all, 'SHA256SUMS'].sort());
  const sums = (await read('SHA256SUMS')).toString();
  const computed = await Promise.all(
    all.map(
      async (name) =>
        `${createHash('sha256')
          .update(await read(name))
          .digest('hex')}  ${name}\n`,
    ),
  );
  expect(sums).toBe(computed.join(''));
  expect(await serial()).toBe(`${texts.length}\n`);
});

test('each file begins with the terms, and an empty line precedes each object', async () => {
  await write();
  for (const name of ['example.db.gz', 'example.db.utf8.gz', 'split/example.db.poem.gz']) {
    const [terms, ...objects] = (await unpacked(name)).split('\n\n');
    expect(terms!.split('\n').filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
    expect(terms).toContain('https://www.example.net/terms');
    expect(terms).toContain(`EXAMPLE of 2026-01-02T03:04:05Z, which has all changes up to serial ${texts.length}.`);
    expect(objects).toHaveLength(name.startsWith('split') ? 0 : 6);
  }
});

test('the files of types have together what the whole file has, in both encodings', async () => {
  await write();
  for (const end of ['.gz', '.utf8.gz']) {
    const parts = await Promise.all(objectTypeNames.map((type) => objectsIn(`split/example.db.${type}${end}`)));
    expect(parts.flat()).toEqual(await objectsIn(`example.db${end}`));
    expect(parts.map((part) => part.length)).toEqual(
      objectTypeNames.map((type) => ({ route: 3, mntner: 1, organisation: 1, person: 1 })[type as string] ?? 0),
    );
  }
  expect(await objectsIn('example.db.utf8.gz')).toEqual(await objectsIn('example.db.gz'));
  expect(gunzipSync(await read('example.db.gz')).includes(Buffer.from('Ex\xe4mple', 'latin1'))).toBe(true);
  expect(gunzipSync(await read('example.db.utf8.gz')).includes(Buffer.from('Exämple'))).toBe(true);
});

test('a dump shows no person, address, password hash, and nothing of another source', async () => {
  await write();
  const text = (await unpacked('example.db.gz')) + (await unpacked('split/example.db.person.gz'));
  for (const secret of [
    'John',
    'Secret Street',
    '@example.net',
    'abcdefgh',
    'alice',
    'JD1-EXAMPLE',
    'OPS1',
    'NONAUTH',
  ]) {
    expect(text).not.toContain(secret);
  }
  expect(await objectsIn('split/example.db.person.gz')).toEqual([expect.stringContaining('DUMY-EXAMPLE')]);
});

test('the non-authoritative part has a dump of its own, with files of the types that it may have', async () => {
  const sources = publicSources('DUMPS', ['example', 'Example-NonAuth', 'EXAMPLE'], {
    source: 'example',
    grsSources: [],
    publicTexts: new Map(),
  });
  expect(await write({ sources })).toEqual([]);
  const source = 'example-nonauth';
  const types = ['aut-num', 'as-set', 'route', 'route6'];
  const names = ['.gz', '.utf8.gz'].flatMap((end) => [
    `${source}.db${end}`,
    ...types.map((type) => `split/${source}.db.${type}${end}`),
  ]);
  const stored = await readdir(path.join(folder, 'dumps', source), { recursive: true });
  const all = [...names, 'EXAMPLE-NONAUTH.CURRENTSERIAL', 'SHA256SUMS'];
  expect(stored.filter((name) => name !== 'split').sort()).toEqual(all.sort());
  expect((await read('EXAMPLE-NONAUTH.CURRENTSERIAL', source)).toString()).toBe(await serial());
  for (const name of [`${source}.db.gz`, `split/${source}.db.route.gz`]) {
    const [terms, ...objects] = (await unpacked(name, source)).trimEnd().split('\n\n');
    expect(terms).toContain('Dump of the source EXAMPLE-NONAUTH of');
    expect(objects).toEqual([elsewhere.replace('Office 9', 'Dummified')]);
  }
  expect(await unpacked('example.db.gz')).not.toContain('NONAUTH');
  expect(registry.exported.map((requested) => requested.length).sort()).toEqual([20, 4]);
  expect(registry.exported).toContainEqual(types);
});

test('a dump is written each day at its time, and again when it is gone', async () => {
  await write();
  registry.put(route('EXAMPLE', 4));
  await write();
  expect(await serial()).toBe(`${texts.length}\n`);
  clock.set('2026-01-02T03:30:00Z');
  await write();
  expect(await serial()).toBe(`${texts.length + 1}\n`);
  registry.put(route('EXAMPLE', 5));
  await write();
  expect(await serial()).toBe(`${texts.length + 1}\n`);
  await rm(path.join(folder, 'dumps'), { recursive: true });
  await write();
  expect(await serial()).toBe(`${texts.length + 2}\n`);
  const { values } = await metrics.getSingleMetric('cadastre_mirror_dump_time_seconds')!.get();
  expect(values).toEqual([{ labels: { source: 'EXAMPLE' }, value: Date.parse('2026-01-02T03:30:00Z') / 1000 }]);
});

/** Whether the checksums match all files, for a reader who has fetched them. */
async function sumsFit(): Promise<boolean> {
  const lines = (await read('SHA256SUMS')).toString().trim().split('\n');
  const fit = lines.map(async (line) => {
    const [sum, name] = line.split('  ');
    const found = createHash('sha256').update(await read(name!));
    return found.digest('hex') === sum;
  });
  return (await Promise.all(fit)).every(Boolean);
}

/** A store whose `put` fails, or stops the job, at one file. */
function breaking(at: number, how: () => void): FileStore {
  const store = folderStore(folder);
  let puts = 0;
  return {
    ...store,
    replaceFolder: (name, files) =>
      store.replaceFolder!(name, (put) =>
        files(async (file, content, putOptions) => {
          if (puts++ === at) how();
          return put(file, content, putOptions);
        }),
      ),
  };
}

test.each([0, 1, 2, 20, 43, 44, 45])(
  'until file %i of a new dump is stored, the old one remains complete',
  async (at) => {
    await write();
    const before = await read('SHA256SUMS');
    clock.advance(24 * 3_600_000);
    registry.put(route('EXAMPLE', 4));
    const full = breaking(at, () => {
      throw new Error('the disk is full');
    });
    expect(await write({ store: full })).toEqual(['EXAMPLE']);
    expect(await read('SHA256SUMS')).toEqual(before);
    await expect(write({ store: breaking(at, () => lost.abort(new Error('lost'))) })).rejects.toThrow('lost');
    expect(await read('SHA256SUMS')).toEqual(before);
    expect(await sumsFit()).toBe(true);
    lost = new AbortController();
    expect(await write()).toEqual([]);
    expect(await serial()).toBe(`${texts.length + 1}\n`);
    // The failed dump left nothing.
    expect(await readdir(path.join(folder, 'dumps'))).toHaveLength(2);
  },
);

test('a dump that takes too many bytes is not written, and leaves nothing; the old one remains', async () => {
  await write();
  const before = await read('SHA256SUMS');
  clock.advance(24 * 3_600_000);
  registry.put(route('EXAMPLE', 4));
  expect(await write({ maxBytes: 10_000 })).toEqual(['EXAMPLE']);
  expect(await read('SHA256SUMS')).toEqual(before);
  expect(await readdir(path.join(folder, 'dumps'))).toHaveLength(2);
  expect(await write()).toEqual([]);
});

test('what a killed writer left is removed, and what readers see stays', async () => {
  await write();
  const [shown] = (await readdir(path.join(folder, 'dumps'))).filter((name) => name.startsWith('.'));
  const left = path.join(folder, 'dumps/.example-0123456789abcdef');
  const killed = async () => {
    await mkdir(left);
    await writeFile(path.join(left, 'example.db.gz'), 'a part');
    await symlink('.example-0123456789abcdef', `${left}.link`);
  };
  await killed();
  const full = breaking(0, () => {
    throw new Error('the disk is full');
  });
  clock.advance(24 * 3_600_000);
  await write({ store: full });
  expect((await readdir(path.join(folder, 'dumps'))).sort()).toEqual([shown, 'example']);
  await killed();
  await write();
  expect(await readdir(path.join(folder, 'dumps'))).toHaveLength(2);
  expect(await unpacked('example.db.gz')).toContain('2026-01-03T03:04:05Z');
});

test('a source that cannot be read does not delay the others', async () => {
  const { reader } = createRegistry('OTHER').objects;
  const exportObjects: typeof reader.exportObjects = (request, call) => {
    if (request.source === 'BROKEN') throw new Error('away');
    return reader.exportObjects(request, call);
  };
  const objects = { reader: { ...reader, exportObjects } };
  expect(await write({ sources: ['BROKEN', 'OTHER'].map((name) => wholeSource(name)), objects })).toEqual(['BROKEN']);
  expect(await readFile(path.join(folder, 'dumps/other/OTHER.CURRENTSERIAL'), 'utf8')).toBe('0\n');
});

test('where folders cannot be replaced, the serial and the checksums come last, and fit no mixture of two dumps', async () => {
  const { replaceFolder: _, ...store } = folderStore(folder);
  await write({ store });
  clock.advance(24 * 3_600_000);
  registry.put(route('EXAMPLE', 4));
  const seen: { name: string; fits: boolean }[] = [];
  let before: Promise<unknown> = Promise.resolve();
  // One after the other, so that each mixture shows.
  const put: FileStore['put'] = async (name, content, putOptions) => {
    const stored = await store.put(name, content, putOptions);
    before = before.then(async () => seen.push({ name, fits: await sumsFit() }));
    await before;
    return stored;
  };
  await write({ store: { ...store, put } });
  expect(seen).toHaveLength(46);
  expect(seen.slice(-2).map(({ name }) => name)).toEqual([
    'dumps/example/EXAMPLE.CURRENTSERIAL',
    'dumps/example/SHA256SUMS',
  ]);
  expect(seen.map(({ fits }) => fits)).toEqual([...Array(45).fill(false), true]);
});
