import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Mirror,
  MirrorServiceService,
  MirrorState,
  OriginKind,
  type Publication,
  type ResetMirrorRequest,
} from '@cadastre/proto/mirror';
import { ServiceError } from '@cadastre/service';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { cadastre, fake, startFakeRegistry } from './fake-registry.js';

const dayMs = 24 * 60 * 60 * 1_000;

describe('keys', () => {
  let folder: string;
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), 'cadastre-mirror-keys-')), 'keys');
  });
  afterEach(() => rm(join(folder, '..'), { recursive: true, force: true }));

  const keys = (...args: string[]) => cadastre(['mirror', 'keys', ...args], { CADASTRE_MIRROR_KEYS_DIR: folder });
  const read = (name: string) => readFile(join(folder, name), 'utf8');

  async function fingerprint(name: string): Promise<string> {
    const der = createPublicKey(await read(name)).export({ type: 'spki', format: 'der' });
    return createHash('sha256').update(der).digest('hex');
  }

  /** Makes every key older. */
  async function age(days: number): Promise<void> {
    const earlier = (at: string) => new Date(Date.parse(at) - days * dayMs).toISOString();
    const aged = (await read('signing-keys.json')).replace(/\d{4}-\d\d-\d\dT[^"]+/g, earlier);
    await writeFile(join(folder, 'signing-keys.json'), aged);
  }

  test('create makes a P-256 key for its owner alone, and prints the public part', async () => {
    const { code, stdout, stderr } = await keys('create');
    const pem = await read('signing-key.pem');
    const key = createPrivateKey(pem);
    expect([code, stdout]).toEqual([0, createPublicKey(key).export({ type: 'spki', format: 'pem' })]);
    expect(stderr).toContain(await fingerprint('signing-key.pem'));
    expect([key.asymmetricKeyDetails?.namedCurve, pem.split('\n')[0]]).toEqual([
      'prime256v1',
      '-----BEGIN PRIVATE KEY-----',
    ]);
    const modes = await Promise.all(['.', 'signing-key.pem'].map(async (one) => (await stat(join(folder, one))).mode));
    expect(modes.map((mode) => mode & 0o777)).toEqual([0o700, 0o600]);
    expect((await readdir(folder)).sort()).toEqual(['signing-key.pem', 'signing-keys.json']);
  });

  test('create never replaces a key', async () => {
    await keys('create');
    const before = await read('signing-key.pem');
    expect(await keys('create')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('exists') });
    expect(await read('signing-key.pem')).toBe(before);
  });

  test('rotate makes the next key, waits a week, then lets it sign and forgets the old one', async () => {
    await keys('create');
    const first = await fingerprint('signing-key.pem');
    const announced = await keys('rotate');
    const second = await fingerprint('next-signing-key.pem');
    expect(announced).toMatchObject({ code: 0, stdout: expect.stringContaining(second) });

    await age(6);
    expect(await keys('rotate')).toMatchObject({ code: 2, stderr: expect.stringMatching(/may sign from .* --now/) });
    expect(await fingerprint('signing-key.pem')).toBe(first);

    await age(1);
    expect(await keys('rotate')).toMatchObject({ code: 0, stdout: expect.stringContaining(`${first} is gone`) });
    expect(await fingerprint('signing-key.pem')).toBe(second);
    expect(await readdir(folder)).not.toContain('next-signing-key.pem');
    expect((await keys('show')).stdout).toMatch(new RegExp(`Signs: ${second}[^]*Retired [-0-9:TZ]+: ${first}`));
  });

  test('rotate --now does not wait', async () => {
    await keys('create');
    await keys('rotate');
    const next = await fingerprint('next-signing-key.pem');
    expect((await keys('rotate', '--now')).code).toBe(0);
    expect(await fingerprint('signing-key.pem')).toBe(next);
  });

  test('rotate ends what a crash between its notes and its files left', async () => {
    await keys('create');
    await keys('rotate');
    const next = await read('next-signing-key.pem');
    const old = await read('signing-key.pem');
    await keys('rotate', '--now');
    await writeFile(join(folder, 'signing-key.pem'), old);
    await writeFile(join(folder, 'next-signing-key.pem'), next);
    expect((await keys('rotate', '--now')).code).toBe(0);
    expect(await read('signing-key.pem')).toBe(next);
  });

  test.each<[string, () => Promise<unknown>, string]>([
    ['without a key', async () => {}, 'To do: make the first key'],
    ['with a new key', () => keys('create'), 'To do: nothing until '],
    ['with a key of a year', () => keys('create').then(() => age(359)), 'mirror keys rotate", to make the next key'],
    ['with a new next key', () => keys('create').then(() => keys('rotate')), 'To do: announce the next key until '],
    [
      'with a next key of a week',
      () =>
        keys('create')
          .then(() => keys('rotate'))
          .then(() => age(8)),
      'mirror keys rotate", to sign with the next key',
    ],
  ])('show says what to do %s, and no private key', async (_, prepare, todo) => {
    await prepare();
    const { code, stdout } = await keys('show');
    expect([code, stdout.split('\n').at(-2)]).toEqual([0, expect.stringContaining(todo)]);
    expect(stdout).not.toContain('PRIVATE');
  });

  test('show --json has the keys, without their private parts', async () => {
    const toDo = 'make the first key by "cadastre mirror keys create"';
    const show = async () => JSON.parse((await keys('show', '--json')).stdout);
    expect(await show()).toEqual({ key: null, nextKey: null, retired: [], toDo });
    const pem = (await keys('create')).stdout;
    await keys('rotate');
    const retired = await fingerprint('signing-key.pem');
    const second = await fingerprint('next-signing-key.pem');
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT/);
    expect(await show()).toEqual({
      key: { fingerprint: retired, created: time, activated: time, pem },
      nextKey: { fingerprint: second, created: time, activated: null, pem: expect.any(String) },
      retired: [],
      toDo: expect.stringContaining('announce the next key until '),
    });
    await keys('rotate', '--now');
    expect((await show()).retired).toEqual([{ fingerprint: retired, retired: time }]);
    expect((await keys('show', '--json', '--public')).code).toBe(2);
  });

  test('show --public prints what mirrors need, and nothing else', async () => {
    expect(await keys('show', '--public')).toMatchObject({ code: 2, stdout: '' });
    const { stdout } = await keys('create');
    expect(await keys('show', '--public')).toEqual({ code: 0, stdout, stderr: '' });
  });

  test('show --kubernetes prints a Secret with the files', async () => {
    await keys('create');
    await keys('rotate');
    const { metadata, kind, data } = JSON.parse((await keys('show', '--kubernetes', 'mirror-keys')).stdout);
    expect([kind, metadata.name, Object.keys(data)]).toEqual([
      'Secret',
      'mirror-keys',
      ['signing-key.pem', 'next-signing-key.pem', 'signing-keys.json'],
    ]);
    expect(Buffer.from(data['signing-key.pem'], 'base64').toString()).toBe(await read('signing-key.pem'));
    expect((await keys('show', '--kubernetes', 'Not a name')).code).toBe(2);
  });

  test.each([
    ['signing-key.pem', 'no key'],
    ['signing-keys.json', '{"00":{"created":"yesterday"}}'],
    ['signing-keys.json', '[null]'],
  ])('%s with %j is refused', async (name, text) => {
    await keys('create');
    await writeFile(join(folder, name), text);
    for (const command of ['show', 'rotate']) {
      expect(await keys(command)).toMatchObject({ code: 2, stderr: expect.stringContaining(join(folder, name)) });
    }
  });
});

describe('known registries', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cadastre-origins-'));
    file = join(folder, 'origins.json');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const add = (...args: string[]) => cadastre(['mirror', 'add', ...args], {});
  const written = async () => JSON.parse(await readFile(file, 'utf8'));

  test('presets lists them with their addresses', async () => {
    const { code, stdout } = await cadastre(['mirror', 'presets', '--json'], {});
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toContainEqual({
      name: 'RADB',
      follow: 'dump,nrtm3',
      dump: 'ftp://ftp.radb.net/radb/dbase/radb.db.gz',
      nrtm3: 'whois.radb.net:43',
      nrtm4: null,
    });
  });

  test('add prints entries for the file of origins, and the names of the copies', async () => {
    const { code, stdout, stderr } = await add('radb', 'ALTDB');
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      { 'RADB-GRS': { preset: 'RADB' }, 'ALTDB-GRS': { preset: 'ALTDB' } },
    ]);
    expect(stderr).toContain('CADASTRE_GRS_SOURCES of all services too: RADB-GRS,ALTDB-GRS');
  });

  test('add makes the file, adds to it, and never replaces an entry', async () => {
    await add('RADB', '--file', file);
    const { code, stderr } = await add('ARIN', '--follow', 'nrtm3', '--classes', 'route, route6', '--file', file);
    expect([code, stderr]).toEqual([0, expect.stringContaining('allow your addresses')]);
    const both = {
      'RADB-GRS': { preset: 'RADB' },
      'ARIN-GRS': { preset: { name: 'ARIN', follow: 'nrtm3', classes: ['route', 'route6'] } },
    };
    expect(await written()).toEqual(both);
    expect(await add('radb', '--file', file)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has RADB-GRS'),
    });
    expect(await written()).toEqual(both);
  });

  test('add knows the key of NRTM version 4', async () => {
    await add('RIPE', '--follow', 'nrtm4', '--key', '/srv/ripe.pem', '--classes', 'all', '--file', file);
    expect(await written()).toEqual({
      'RIPE-GRS': { preset: { name: 'RIPE', follow: 'nrtm4', classes: 'all', key: '/srv/ripe.pem' } },
    });
  });

  test.each([
    [['EXAMPLE'], 'EXAMPLE: name: must be one of AFRINIC'],
    [['RADB', '--follow', 'nrtm4', '--key', 'x'], 'RADB: follow: must be one of dump, nrtm3'],
    [['RIPE', '--follow', 'nrtm4'], 'nrtm4 needs --key'],
    [['APNIC', '--classes', 'poem'], 'APNIC: classes: the registry has no file of poem'],
    [['RADB', '--follow', 'ftp'], 'Allowed choices are dump, nrtm3, nrtm4'],
  ])('add %j is refused', async (args, said) => {
    expect(await add(...args, '--file', file)).toMatchObject({ code: 2, stderr: expect.stringContaining(said) });
    await expect(readFile(file)).rejects.toThrow();
  });

  test('add never changes a file that is something else', async () => {
    await writeFile(file, '[]');
    expect(await add('RADB', '--file', file)).toMatchObject({ code: 2, stderr: expect.stringContaining('no JSON') });
    expect(await readFile(file, 'utf8')).toBe('[]');
  });
});

const at = new Date('2026-01-02T03:04:05Z');
const mirror: Mirror = {
  source: 'EXAMPLE-GRS',
  kind: OriginKind.ORIGIN_KIND_NRTM4,
  origin: 'https://mirror.example.net/nrtmv4/EXAMPLE/update-notification-file.jose',
  originSource: 'EXAMPLE',
  ownNetwork: false,
  state: MirrorState.MIRROR_STATE_CURRENT,
  sessionId: '43ef4645-8dd4-4352-878e-390d7acc11e4',
  version: 12n,
  checkedAt: at,
  changedAt: at,
  staleSince: undefined,
  failedAt: undefined,
  error: '',
  counts: { loads: 1n, puts: 3n, deletes: 2n, rejected: 1n },
  warnings: [],
  classes: [],
};
const publication: Publication = {
  source: 'TEST',
  sessionId: '43ef4645-8dd4-4352-878e-390d7acc11e5',
  version: 5n,
  serial: 99n,
  snapshotVersion: 2n,
  sessionBeganAt: at,
  versionPublishedAt: at,
  snapshotPublishedAt: at,
  notifiedAt: at,
  keyFingerprint: 'ab'.repeat(32),
  nextKeyFingerprint: '',
  failedAt: undefined,
  error: '',
};

describe('of a registry', () => {
  let registry: Awaited<ReturnType<typeof startFakeRegistry>>;
  let mirrors: Mirror[];
  let publications: Publication[];
  const resets: ResetMirrorRequest[] = [];

  beforeAll(async () => {
    registry = await startFakeRegistry([
      fake(MirrorServiceService, {
        listMirrors: async () => ({ mirrors }),
        listPublications: async () => ({ publications }),
        resetMirror: async (request) => {
          if (request.source !== 'EXAMPLE-GRS') throw new ServiceError('not-found', 'There is no such mirror');
          resets.push(request);
          return {};
        },
      }),
    ]);
  });
  afterAll(() => registry.stop());
  beforeEach(() => {
    mirrors = [mirror];
    publications = [publication];
    resets.length = 0;
  });

  const run = (...args: string[]) => cadastre(['mirror', ...args], registry.env);

  test('status shows both lists as tables', async () => {
    const { code, stdout } = await run('status');
    expect([code, stdout.split('\n').map((line) => line.split(/ {2,}/))]).toEqual([
      0,
      [
        ['MIRROR', 'KIND', 'STATE', 'VERSION', 'CHECKED', 'STALE SINCE', 'ORIGIN', 'ERROR'],
        ['EXAMPLE-GRS', 'nrtm4', 'current', '12', '2026-01-02T03:04:05Z', '-', mirror.origin],
        [''],
        ['PUBLISHED', 'VERSION', 'SERIAL', 'SNAPSHOT', 'NOTIFIED', 'KEY', 'NEXT KEY', 'ERROR'],
        ['TEST', '5', '99', '2', '2026-01-02T03:04:05Z', 'ab'.repeat(32), '-'],
        [''],
      ],
    ]);
  });

  test('status --json has everything', async () => {
    expect(JSON.parse((await run('status', '--json')).stdout)).toEqual({
      mirrors: [
        {
          source: 'EXAMPLE-GRS',
          kind: 'nrtm4',
          origin: mirror.origin,
          originSource: 'EXAMPLE',
          state: 'current',
          session: mirror.sessionId,
          version: 12,
          checked: at.toISOString(),
          changed: at.toISOString(),
          staleSince: null,
          rejected: 1,
          classes: [],
          warnings: [],
          error: null,
        },
      ],
      publications: [
        {
          source: 'TEST',
          session: publication.sessionId,
          version: 5,
          serial: 99,
          snapshot: 2,
          notified: at.toISOString(),
          key: 'ab'.repeat(32),
          nextKey: null,
          error: null,
        },
      ],
    });
  });

  test('status --limit shows the first of each list, and its exit code tells of all', async () => {
    mirrors = [mirror, { ...mirror, source: 'OTHER-GRS', state: MirrorState.MIRROR_STATE_REFUSED }];
    const { code, stdout } = await run('status', '--limit', '1', '--json');
    const shown = JSON.parse(stdout) as Record<string, { source: string }[]>;
    expect([code, Object.values(shown).map((list) => list.map(({ source }) => source))]).toEqual([
      2,
      [['EXAMPLE-GRS'], ['TEST']],
    ]);
    expect((await run('status', '--limit', '1')).stdout).not.toContain('OTHER-GRS');
  });

  test.each<[string, Partial<Mirror>, Partial<Publication>, number]>([
    ['stale', { state: MirrorState.MIRROR_STATE_STALE, staleSince: at, error: 'no answer' }, {}, 0],
    ['refused', { state: MirrorState.MIRROR_STATE_REFUSED, staleSince: at, error: 'wrong \u001b[31mhash' }, {}, 2],
    ['not published', {}, { error: 'No space left on device' }, 2],
  ])('status has an exit code for %s', async (_, ofMirror, ofPublication, code) => {
    mirrors = [{ ...mirror, ...ofMirror }];
    publications = [{ ...publication, ...ofPublication }];
    const found = await run('status');
    expect([found.code, found.stdout]).toEqual([code, expect.not.stringContaining('\u001b')]);
  });

  test('status warns of what operators should know, and shows the classes', async () => {
    mirrors = [{ ...mirror, warnings: ['Files come by ftp \u001b[31m'], classes: ['route', 'route6'] }];
    const shown = await run('status');
    expect(shown).toMatchObject({ code: 0, stderr: expect.stringContaining('EXAMPLE-GRS: Files come by ftp') });
    expect(shown.stderr).not.toContain('\u001b');
    const { mirrors: listed } = JSON.parse((await run('status', '--json')).stdout);
    expect(listed).toMatchObject([{ classes: ['route', 'route6'], warnings: [expect.stringContaining('by ftp')] }]);
  });

  test('status of a service without work says so', async () => {
    [mirrors, publications] = [[], []];
    expect(await run('status')).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('neither') });
  });

  test('reset asks the service', async () => {
    expect(await run('reset', 'EXAMPLE-GRS')).toMatchObject({ code: 0, stdout: expect.stringContaining('is loaded') });
    expect(resets).toEqual([{ source: 'EXAMPLE-GRS' }]);
    expect(await run('reset', 'OTHER-GRS')).toMatchObject({ code: 2, stderr: 'cadastre: There is no such mirror\n' });
  });
});
