import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { SearchServiceService } from '@cadastre/proto/search';
import { connect, type RpcClient } from '@cadastre/service';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { cadastre } from './harness/cadastre.js';
import { eventually } from './harness/eventually.js';
import { personText } from './harness/person-text.js';
import { type Rest, restClient } from './harness/rest.js';
import { freshDirectory, type RunningSystem, runSystem } from './harness/run-system.js';

// 80 MB go through every part of the system, some of them several times.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;
let rest: Rest & { close(): void };
let search: RpcClient<typeof SearchServiceService> & { close(): void };

const count = 80;
/** 0.9 MB: together they exceed a gRPC message. */
const remarks = `remarks:        ${'x'.repeat(1000)}\n`.repeat(900);
const handles = Array.from({ length: count }, (_, n) => `LA${n + 1}-TEST`);
const bystanders = Array.from({ length: count }, (_, n) => `BY${n + 1}-TEST`);

beforeAll(async () => {
  data = await freshDirectory();
  // One client requests everything concurrently, and the machine may be slow.
  system = await runSystem(data.directory, {
    CADASTRE_LIMITS: '127.0.0.0/8 exempt, ::1/128 exempt',
    CADASTRE_GATEWAY_DEADLINES: 'read=60s',
  });
  rest = restClient(system);
  search = connect(SearchServiceService, { address: system.search, deadlineMs: 120_000 });
  const dump = join(data.directory, 'large.txt');
  const texts = [
    ...handles.map((handle) => personText('Large Person', handle) + remarks),
    ...bystanders.map((handle) => personText('Small Person', handle)),
  ];
  await writeFile(dump, texts.join('\n'));
  const { code, stderr } = await cadastre(system, ['load', '--source', 'TEST', '--wait', dump]);
  expect(code, stderr).toBe(0);
});

afterAll(async () => {
  rest?.close();
  search?.close();
  await system?.stop();
  await data.remove();
});

/** The handles that a search for a name finds. */
async function findPersons(query: string): Promise<string[]> {
  const found: string[] = [];
  const request = {
    ...{ query, sources: [], types: ['person'], inverseAttributes: [], flags: ['r'], includeTags: [], excludeTags: [] },
    ...{ annotations: undefined, offset: 0, minSerial: 0n, client: '', cursor: Buffer.alloc(0) },
  };
  for await (const { objects } of search.search(request)) found.push(...objects.map(({ object }) => object!.key));
  return found.sort();
}

test('they are indexed, and a search returns them', async () => {
  expect(await findPersons('large')).toEqual([...handles].sort());
});

test('the index can be rebuilt', async () => {
  const log = () => readFile(join(data.directory, 'logs', 'search.log'), 'utf8');
  await search.rebuildIndex({ source: 'TEST' });
  await eventually(async () => {
    const { sources } = await search.getIndexStatus({});
    expect(sources[0]).toMatchObject({ source: 'TEST', rebuilding: false });
    expect(await log()).toContain('index rebuilt');
  }, 180_000);
  expect(await log()).not.toContain('rebuild failed');
  expect(await findPersons('large')).toEqual([...handles].sort());
});

test('an export has them all', async () => {
  const file = join(data.directory, 'export.txt');
  const { code, stderr } = await cadastre(system, [
    ...['export', '--source', 'TEST', '--type', 'person', '--output', file],
  ]);
  expect(code, stderr).toBe(0);
  const exported = [...(await readFile(file, 'latin1')).matchAll(/^nic-hdl: +(\S+)$/gm)].map(([, handle]) => handle!);
  expect(exported).toEqual(expect.arrayContaining([...handles, ...bystanders]));
});

const look = async (handle: string) => (await rest(`/TEST/person/${handle}?unfiltered`)).status;

test('concurrent lookups of all of them succeed, and those of others meanwhile', async () => {
  const statuses = await Promise.all([...handles, ...bystanders].map(look));
  expect(statuses).toEqual(Array(2 * count).fill(200));
});

test('an unreadable object does not affect other lookups', async () => {
  const socket = join(dirname(system.objects.replace(/^unix:/, '')), 'postgres');
  const database = new pg.Client(`postgres://objects@localhost/cadastre?host=${encodeURIComponent(socket)}`);
  await database.connect();
  await database.query("update object set text = 'no object' where key = 'by1-test'");
  await database.end();
  const statuses = await Promise.all(bystanders.map(look));
  expect(statuses).toEqual([500, ...Array(count - 1).fill(200)]);
});
