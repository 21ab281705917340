import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { View } from '@cadastre/proto/registry';
import { SearchServiceService } from '@cadastre/proto/search';
import { createMetrics, inTransaction, openDatabase } from '@cadastre/service';
import { inMemoryClient, testDatabase, testLogger } from '@cadastre/service/testing';
import { generateRegistry } from '@cadastre/synthetic';
import type { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { hasRedis } from '../../../services/gateway/tests/redis-server.fixture.js';
import { writeDump } from '../../../services/mirror/src/dumps/write-dump.js';
import { folderStore } from '../../../services/mirror/src/files/folder.js';
import { mirrorWriter } from '../../../services/mirror/src/follow/mirror-writer.js';
import { nrtm3Origin } from '../../../services/mirror/src/follow/nrtm3/origin.js';
import { nrtm4Origin } from '../../../services/mirror/src/follow/nrtm4/origin.js';
import type { FileHashes, Origin } from '../../../services/mirror/src/follow/origin.js';
import type { Lease } from '../../../services/mirror/src/leases.js';
import { wholeSource } from '../../../services/mirror/src/public-source.js';
import { publicText } from '../../../services/mirror/src/publish/public-export.js';
import { publishMetrics } from '../../../services/mirror/src/publish/publish-metrics.js';
import { createPublisher, type Publisher } from '../../../services/mirror/src/publish/publisher.js';
import { isWithout } from '../../../services/mirror/tests/mirror-programs.fixture.js';
import { keyPair } from '../../../services/mirror/tests/publisher.fixture.js';
import { keysOf, newKey } from '../../../services/mirror/tests/publishing.fixture.js';
import {
  feedOf,
  loaderOf,
  loadText,
  mirrorOf,
  put,
  readerOf,
  remove,
  useContext,
} from '../../../services/objects/tests/test-context.js';
import { authBackends } from '../../../services/whois/tests/auth.fixture.js';
import { beginWhois, type RunningWhois } from '../../../services/whois/tests/whois.fixture.js';
import { eventually } from './harness/eventually.js';
import { type Irrd, startIrrd } from './harness/irrd.js';

// A real IRRd (PyPI) follows our sources, and we follow its own: FOUR by NRTM version 4, TEST by version 3, IRRD by both.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

const four = useContext({ source: 'four' });
const three = useContext({ grsSources: ['BY4-GRS', 'BY3-GRS'] });
const signal = new AbortController().signal;
/** IRRd starts one job each second, on a busy machine a slower one: all sources must get their turn. */
const importSeconds = 8;
const soon = { interval: 1_000, timeout: 100_000 };

let folder: string;
let database: Awaited<ReturnType<typeof testDatabase>>;
let pool: Pool;
let whois: RunningWhois;
let irrd: Irrd;
let publisher: Publisher;
let lease: Lease;
let keys = keysOf(newKey());
const irrdKeys = keyPair();

/** IRRd does not support poems. */
const isKnown = (text: string) => !/^poe/.test(text);
/** Of all types, with letters outside ASCII. */
const objectsOf = (source: string) => [...generateRegistry({ objects: 300, seed: 21, source })];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cadastre-irrd-'));
  database = await testDatabase(new URL('../../../services/mirror/migrations/', import.meta.url));
  pool = openDatabase(database.url).createPool({ max: 4, applicationName: 'test', statementTimeoutMs: 60_000 });
  for (const [{ context }, source] of [
    [four, 'FOUR'],
    [three, 'TEST'],
  ] as const) {
    const { summary } = await loadText(context, objectsOf(source).join('\n'), { source });
    expect(summary!.created).toBe(300n);
  }
  lease = { name: 'FOUR', signal, transaction: (fn) => inTransaction(pool, fn) };
  const now = () => new Date();
  publisher = createPublisher({
    ...{ source: wholeSource('FOUR'), pool, store: folderStore(folder), keys: () => keys, now, logger: testLogger() },
    maxBytes: 1_000_000_000,
    objects: { reader: readerOf(four.context), feed: feedOf(four.context) },
    metrics: publishMetrics(createMetrics('mirror'), now),
  });
  await publisher.round(lease);
  const reader = readerOf(three.context);
  const dump = {
    source: wholeSource('TEST'),
    store: folderStore(folder),
    termsUrl: 'https://www.example.net/terms',
    now,
    signal,
  };
  await writeDump({ ...dump, objects: { reader } });
  const search = inMemoryClient(SearchServiceService, {});
  const backends = { ...authBackends(), reader, feed: feedOf(three.context), search, close() {} };
  whois = await beginWhois({ backends }, { CADASTRE_WHOIS_NRTM_CLIENTS: '127.0.0.1' });
  await mkdir(join(folder, 'irrd'));
  irrd = await startIrrd(
    {
      FOUR: {
        nrtm4_client_notification_file_url: fileUrl('nrtmv4/FOUR/update-notification-file.jose').href,
        nrtm4_client_initial_public_key: keys.publicKey,
        import_timer: importSeconds,
      },
      TEST: {
        ...{ nrtm_host: '127.0.0.1', nrtm_port: whois.port, import_timer: importSeconds },
        import_source: fileUrl('dumps/test/test.db.utf8.gz').href,
        import_serial_source: fileUrl('dumps/test/TEST.CURRENTSERIAL').href,
      },
      IRRD: {
        ...{ authoritative: true, authoritative_retain_last_modified: true, keep_journal: true },
        ...{ nrtm_access_list_unfiltered: 'local' },
        ...{ export_destination_unfiltered: join(folder, 'irrd'), export_timer: 20 },
        ...{ nrtm4_server_private_key: irrdKeys.privateKey, nrtm4_server_local_path: join(folder, 'irrd') },
      },
    },
    { IRRD: objectsOf('IRRD').filter(isKnown) },
  );
});

afterAll(async () => {
  await irrd?.stop();
  await whois?.stop();
  await pool?.end();
  await database?.drop();
  await rm(folder, { recursive: true, force: true });
});

const fileUrl = (name: string) => pathToFileURL(join(folder, name));

type Context = typeof three.context;

async function textsOf(context: Context, source: string): Promise<string[]> {
  const texts: string[] = [];
  for await (const page of readerOf(context).exportObjects({ source, types: [], view: View.VIEW_COMPLETE })) {
    texts.push(...page.objects.map(({ text }) => text));
  }
  return texts;
}

/** IRRd omits hashes of passwords and blanks in lists, and adds blanks after the plus sign of an empty line. */
function asIrrdShows(text: string): string {
  return text
    .replace(/^(auth: +\S+-PW).*/gim, '$1')
    .replace(/^members: .*/gm, (line) => line.replaceAll(', ', ','))
    .replace(/ +$/gm, '');
}

/** What followers should have of a source, as far as IRRd supports it. */
async function published(context: Context, source: string): Promise<string[]> {
  const texts = (await textsOf(context, source)).flatMap((text) => publicText(text, wholeSource(source)) ?? []);
  return texts.filter(isKnown).map(asIrrdShows).sort();
}

/** What IRRd has of a source, without the placeholder of persons. */
const served = async (source: string) => (await irrd.objects(source)).map(asIrrdShows).filter(isNoPlaceholder);
const isNoPlaceholder = (text: string) => !/^nic-hdl: +DUMY/m.test(text);

const route = (source: string, number: number, extra = '') =>
  `route:          203.0.113.${number}/32
origin:         AS64500
${extra}mnt-by:         EXAMPLE-MNT
source:         ${source}
`;
const removeRoute = (context: Context, number: number) => remove(context, 'route', `203.0.113.${number}/32as64500`);

const organisation = (source: string) => `organisation:   ORG-RE1-${source}
org-name:       Réseau Example
org-type:       OTHER
address:        Dummy address for ORG-RE1-${source}
e-mail:         unread@example.invalid
mnt-ref:        EXAMPLE-MNT
mnt-by:         EXAMPLE-MNT
source:         ${source}
`;

/** Adds, modifies and deletes objects; adds and deletes the third route. */
async function change(context: Context, source: string): Promise<void> {
  for (const number of [1, 2, 3]) await put(context, route(source, number));
  await put(context, organisation(source));
  await put(context, route(source, 2, 'member-of:      RS-EXAMPLE\n'));
  await removeRoute(context, 3);
  const set = (await textsOf(context, source)).find((text) => text.startsWith('as-set:'))!;
  await remove(context, 'as-set', /^as-set: +(.*)/.exec(set)![1]!.toLowerCase());
}

/** Follows an origin into a copy. */
function follower(source: string, origin: Origin) {
  const { context } = three;
  const objects = { loader: loaderOf(context), mirrorWriter: mirrorOf(context) };
  let state: object | undefined;
  let files: FileHashes = {};
  return {
    async update(): Promise<void> {
      await origin.update(state, {
        source,
        writer: mirrorWriter({ source, objects, unguarded: false, logger: testLogger() }),
        faults: 0,
        save: async (progress) => {
          state = progress.state;
          files = progress.files ?? files;
        },
        storedFiles: async () => files,
        signal,
        logger: testLogger(),
        now: () => new Date(),
      });
    },
    objects: async () => (await textsOf(context, source)).map(asIrrdShows).sort(),
  };
}

const missing = isWithout('irrd') || !hasRedis();

describe.skipIf(missing)('IRRd follows us', () => {
  test('by NRTM version 4: a snapshot, a delta, and a new key (M2)', async () => {
    const { context } = four;
    const expectEqual = async () => expect.poll(() => served('FOUR'), soon).toEqual(await published(context, 'FOUR'));
    await expectEqual();
    await change(context, 'FOUR');
    await publisher.round(lease);
    await expectEqual();
    // IRRd serves what it has read before its log has arrived here.
    const logged = (text: string) => eventually(() => expect(irrd.log()).toContain(text));
    for (const operation of ['ADD', 'DEL']) await logged(`/D2/${operation}/route/203.0.113.3/32AS64500`);

    const next = newKey();
    keys = keysOf(keys.privateKey, next);
    await put(context, route('FOUR', 4));
    await publisher.round(lease);
    await expectEqual();
    keys = keysOf(next);
    await removeRoute(context, 4);
    await put(context, route('FOUR', 5));
    await publisher.round(lease);
    await expectEqual();
    await logged('FOUR: Update Notification File signing key rotated');
  });

  test('by NRTM version 3: the dump, and changes from its serial on (M14)', async () => {
    const { context } = three;
    await expect.poll(() => served('TEST'), soon).toEqual(await published(context, 'TEST'));
    await change(context, 'TEST');
    const changed = await published(context, 'TEST');
    // IRRd reads all streams as UTF-8, and shows invalid bytes of ours.
    const asRead = changed.map((text) => (text === organisation('TEST') ? text.replace('é', '\\xe9') : text));
    expect(asRead).not.toEqual(changed);
    await expect.poll(() => served('TEST'), soon).toEqual(asRead.sort());
  });
});

describe.skipIf(missing)('we follow IRRd', () => {
  test('by both versions of NRTM: all, and what changes (M4, M14)', async () => {
    const reach = { ownNetwork: true };
    const byFour = follower(
      'BY4-GRS',
      nrtm4Origin({
        ...{ source: 'IRRD', key: irrdKeys.publicKey, reach },
        url: fileUrl('irrd/update-notification-file.jose'),
      }),
    );
    const byThree = follower(
      'BY3-GRS',
      nrtm3Origin({
        ...{ source: 'IRRD', host: '127.0.0.1', port: irrd.port, reach, encoding: 'utf8' },
        ...{ dumps: [fileUrl('irrd/irrd.db.gz')], serial: fileUrl('irrd/IRRD.CURRENTSERIAL') },
      }),
    );
    const expectEqual = async () => {
      const served = await irrd.objects('IRRD');
      for (const [source, { update, objects }] of [
        ['BY4-GRS', byFour],
        ['BY3-GRS', byThree],
      ] as const) {
        const expected = served.map((text) => asIrrdShows(text).replace(/^(source: +)IRRD$/m, `$1${source}`)).sort();
        const updated = async () => {
          await update();
          return objects();
        };
        await expect.poll(updated, soon).toEqual(expected);
      }
    };
    await expectEqual();
    const [, , ...rest] = objectsOf('IRRD').filter(isKnown);
    await irrd.replace('IRRD', [...rest, route('IRRD', 1)]);
    await expectEqual();
  });
});
