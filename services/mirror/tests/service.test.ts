import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MirrorServiceService } from '@cadastre/proto/mirror';
import { connect, readSettings } from '@cadastre/service';
import { testDatabase, testLogger } from '@cadastre/service/testing';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { folderStore } from '../src/files/folder.js';
import { createMirrorService } from '../src/service.js';
import { mirrorSettings } from '../src/settings.js';
import { createFollower } from './follower.fixture.js';
import { keysOf, mntner, newKey, route } from './publishing.fixture.js';
import { createRegistry } from './registry.fixture.js';

let database: Awaited<ReturnType<typeof testDatabase>>;
let directory: string;

beforeAll(async () => {
  database = await testDatabase(new URL('../migrations/', import.meta.url));
  directory = await mkdtemp(path.join(tmpdir(), 'cadastre-mirror-'));
});

afterAll(async () => {
  await rm(directory, { recursive: true });
  await database?.drop();
});

function settings(variables: Record<string, string> = {}) {
  return readSettings(mirrorSettings, {
    CADASTRE_LISTEN: '127.0.0.1:0',
    CADASTRE_OPERATIONS: '127.0.0.1:0',
    CADASTRE_OBJECTS_ADDRESS: '127.0.0.1:1',
    CADASTRE_DATABASE_URL: database.url,
    CADASTRE_MIRROR_PUBLISH: 'test-nonauth,test',
    CADASTRE_PUBLICATIONS_DIR: path.join(directory, 'files'),
    CADASTRE_MIRROR_KEYS_DIR: path.join(directory, 'keys'),
    ...variables,
  });
}

test('two services publish each source once, and report what they publish', async () => {
  const [key, next] = [newKey(), newKey()];
  await mkdir(path.join(directory, 'keys'));
  await writeFile(path.join(directory, 'keys/signing-key.pem'), key);
  await writeFile(path.join(directory, 'keys/next-signing-key.pem'), next);
  const registry = createRegistry('TEST');
  registry.put(mntner('TEST'));
  registry.put(route('TEST-NONAUTH', 1));
  const overrides = { logger: testLogger(), objects: registry.objects };
  const services = await Promise.all([1, 2].map(() => createMirrorService(settings(), overrides)));
  await Promise.all(services.map((service) => service.start()));
  const clients = services.map((service) =>
    connect(MirrorServiceService, { address: service.address(), deadlineMs: 60_000 }),
  );
  try {
    const published = async () => (await clients[0]!.listPublications({})).publications;
    const isNotified = async () => (await published()).map(({ notifiedAt }) => notifiedAt !== undefined);
    await expect.poll(isNotified).toEqual([true, true]);
    for (const client of clients) {
      const same = { version: 1n, serial: 2n, snapshotVersion: 1n, failedAt: undefined, error: '' };
      // A service that could not reach its database at first reports that until its next round has ended.
      const { publications } = await vi.waitFor(
        async () => {
          const listed = await client.listPublications({});
          expect(listed.publications).toMatchObject([
            { source: 'TEST', ...same },
            { source: 'TEST-NONAUTH', ...same },
          ]);
          return listed;
        },
        { timeout: 90_000 },
      );
      expect(publications[0]!.sessionId).not.toBe(publications[1]!.sessionId);
      expect(publications[0]!.keyFingerprint).toMatch(/^[\da-f]{64}$/);
      expect(publications[0]!.nextKeyFingerprint).toMatch(/^[\da-f]{64}$/);
    }
    const store = folderStore(path.join(directory, 'files'));
    for (const [source, text] of [['TEST', 'mntner: '] as const, ['TEST-NONAUTH', 'route: '] as const]) {
      const follower = createFollower(store, source, keysOf(key).publicKey);
      expect((await follower.update()).notification.nextSigningKey).toBe(keysOf(next).publicKey);
      expect(follower.objects()).toEqual([expect.stringMatching(`^${text}[^]*source: +${source}\n$`)]);
    }
    await expect.poll(() => store.get('nrtmv4/index.html', 10_000)).toBeDefined();
    const index = (await store.get('nrtmv4/index.html', 10_000))!.toString();
    expect([...index.matchAll(/<a href="(.*)">(.*)<\/a>/g)].map(([, url, name]) => [name, url])).toEqual([
      ['TEST', 'TEST/update-notification-file.jose'],
      ['TEST-NONAUTH', 'TEST-NONAUTH/update-notification-file.jose'],
    ]);
  } finally {
    for (const client of clients) client.close();
    await Promise.all(services.map((service) => service.stop()));
  }
});

test.each([
  ['an unknown source', { CADASTRE_MIRROR_PUBLISH: 'OTHER' }, /CADASTRE_MIRROR_PUBLISH: unknown source OTHER/],
  [
    'a source without such a part',
    { CADASTRE_MIRROR_DUMPS: 'A-NONAUTH,TEST' },
    /MIRROR_DUMPS: unknown source A-NONAUTH/,
  ],
  ['no keys', { CADASTRE_MIRROR_KEYS_DIR: '' }, /CADASTRE_MIRROR_KEYS_DIR: is required/],
  ['a directory without a key', { CADASTRE_MIRROR_KEYS_DIR: '/nowhere' }, /CADASTRE_MIRROR_KEYS_DIR: .*ENOENT/],
  ['no store', { CADASTRE_PUBLICATIONS_DIR: '' }, /one of them is required/],
  ['two stores', { CADASTRE_MIRROR_S3_URL: 'https://s3.example.net/bucket' }, /only one of them/],
])('a service with %s does not start', async (_, variables, problem) => {
  await expect(createMirrorService(settings(variables), { logger: testLogger() })).rejects.toThrow(problem);
});
