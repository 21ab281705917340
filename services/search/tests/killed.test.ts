import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SearchServiceService } from '@cadastre/proto/search';
import { connect, createMetrics, createRpcServer } from '@cadastre/service';
import { testLogger } from '@cadastre/service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { indexFiles } from '../src/embedded/index-files.js';
import { createRegistry } from './registry.js';
import { collect, noRequest } from './searching.js';

// The service as a process of its own: needs a build.
const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** Objects of 100 kB in pages of 1 MB. */
const [objects, pageSize] = [900, 10];
/** Enough pages that most of them are stored. */
const pagesBefore = 75;

const registry = createRegistry(['TEST'], pageSize);
let directory: string;
let server: ReturnType<typeof createRpcServer>;
let search: ChildProcess | undefined;
let client: ReturnType<typeof connect<typeof SearchServiceService>>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cadastre-killed-'));
  const address = `unix:${join(directory, 'objects')}`;
  const { implementations } = registry;
  const parts = { logger: testLogger(), metrics: createMetrics('objects') };
  server = createRpcServer({ name: 'objects', address, implementations: [...implementations], ...parts });
  await server.start();
  const listen = `unix:${join(directory, 'search')}`;
  client = connect(SearchServiceService, { address: listen, deadlineMs: 60_000 });
});

afterAll(async () => {
  client?.close();
  if (search?.exitCode === null) {
    search.kill('SIGKILL');
    await once(search, 'exit');
  }
  await server?.stop(0);
  await rm(directory, { recursive: true, force: true });
});

function startSearch(): ChildProcess {
  return spawn(process.execPath, [program], {
    stdio: 'ignore',
    env: {
      CADASTRE_LISTEN: `unix:${join(directory, 'search')}`,
      CADASTRE_OBJECTS_ADDRESS: `unix:${join(directory, 'objects')}`,
      CADASTRE_GEO_ADDRESS: '127.0.0.1:9',
      CADASTRE_SOURCE: 'TEST',
      CADASTRE_DATA_DIR: directory,
    },
  });
}

const indexDirectory = () => join(directory, 'search-index');

/** The contents of the newest file, while no process writes it. */
function stored() {
  const files = indexFiles(indexDirectory(), testLogger());
  return files.stateOf(files.list().sort((one, other) => other.number - one.number)[0]!)!;
}

async function kill(): Promise<void> {
  search!.kill('SIGKILL');
  await once(search!, 'exit');
}

const status = async () => (await client.getIndexStatus({}).catch(() => undefined))?.sources[0];

const nameOf = (number: number) => `M${String(number).padStart(4, '0')}-MNT`;

const text = `remarks: ${'x'.repeat(990)}\n`.repeat(100);

test('a build whose process is killed, and killed again, continues where it was', {
  timeout: 240_000,
}, async () => {
  for (let number = 0; number < objects; number++) {
    registry.put(`mntner: ${nameOf(number)}\n${text}source: TEST\n`);
  }
  const first = registry.pauseExport(pagesBefore);
  search = startSearch();
  await first.reached;
  await expect.poll(async () => Number((await status())?.rebuild?.objects)).toBeGreaterThanOrEqual(500);
  await kill();
  const killed = stored();
  expect(killed.objects).toBeGreaterThanOrEqual(500n);
  // Of the part that the index has.
  registry.remove('mntner', nameOf(0));
  registry.put(`mntner: ${nameOf(1)}\nremarks: new\nsource: TEST\n`);
  first.release();

  const second = registry.pauseExport(2);
  search = startSearch();
  await second.reached;
  expect(registry.exportedAfter()).toEqual([undefined, killed.exported]);
  await kill();
  const again = stored();
  second.release();
  search = startSearch();

  await expect.poll(async () => (await status())?.objects).toBe(BigInt(objects - 1));
  expect(registry.exportedAfter().slice(0, 3)).toEqual([undefined, killed.exported, again.exported]);
  expect(await status()).toMatchObject({ serial: BigInt(objects + 2), behind: 0n, rebuilding: false });
  const found = await collect(client.search({ ...noRequest, query: nameOf(1) }));
  expect(found[0]!.objects[0]!.object!.text).toContain('remarks: new');
});
