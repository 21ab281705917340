import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InvalidRoutes, SearchServiceService } from '@cadastre/proto/search';
import { entry } from '@cadastre/roa/testing';
import { connect, readSettings } from '@cadastre/service';
import { testLogger } from '@cadastre/service/testing';
import { expect, onTestFinished, test } from 'vitest';
import { createSearchService } from '../src/service.js';
import { searchSettings } from '../src/settings.js';
import { indexDirectory } from './index-directory.js';
import { createRegistry } from './registry.js';
import { collect, noRequest } from './searching.js';

const annotations = { managedAttributes: false, resourceHolder: false, abuseContact: false, roaCheck: true };

/** Starts the service with an export of these ROAs; queries routes with roa-check. */
async function startWith(more: Record<string, string>, ...roas: readonly ReturnType<typeof entry>[]) {
  const directory = await mkdtemp(join(tmpdir(), 'roa-'));
  const file = join(directory, 'roas.json');
  await writeFile(file, JSON.stringify({ roas }));
  const registry = createRegistry(['TEST']);
  const minSerial = registry.put('route: 192.0.2.0/24\ndescr: Example\norigin: AS64500\nsource: TEST\n');
  const index = await indexDirectory();
  const settings = readSettings(searchSettings, {
    CADASTRE_LISTEN: '127.0.0.1:0',
    CADASTRE_OBJECTS_ADDRESS: '127.0.0.1:9',
    CADASTRE_GEO_ADDRESS: '127.0.0.1:9',
    CADASTRE_OPERATIONS: '127.0.0.1:0',
    CADASTRE_DATA_DIR: index.path,
    CADASTRE_ROA_SOURCE: file,
    ...more,
  });
  const service = await createSearchService(settings, { logger: testLogger(), backend: registry.backend });
  await service.start();
  const client = connect(SearchServiceService, { address: service.address(), deadlineMs: 60_000 });
  onTestFinished(async () => {
    client.close();
    await service.stop();
    await index.remove();
    await rm(directory, { recursive: true });
  });
  const request = { ...noRequest, query: '192.0.2.0/24', flags: ['r'], annotations, minSerial };
  const found = async (changed: Partial<typeof request & { invalidRoutes: InvalidRoutes }> = {}) => {
    const pages = await collect(client.search({ ...request, ...changed }));
    return pages.flatMap(({ objects }) => objects);
  };
  const warnings = async () => (await found()).flatMap(({ messages }) => messages.map(({ args }) => args));
  return Object.assign(warnings, { client, found });
}

test('a route that a ROA contradicts comes with a warning', async () => {
  const warnings = await startWith({}, entry('AS64501 192.0.2.0/24'));
  await expect.poll(warnings).toEqual([['ROUTE', '192.0.2.0/24', '24', '64501']]);
});

test('the settings say whose ROAs count', async () => {
  const roas = [entry('AS64501 192.0.2.0/24', 'example'), entry('AS64502 192.0.2.0/24')];
  const ofExample = await startWith({ CADASTRE_ROA_TRUST_ANCHORS: 'Example' }, ...roas);
  await expect.poll(ofExample).toEqual([['ROUTE', '192.0.2.0/24', '24', '64501']]);
  const ofAll = await startWith({ CADASTRE_ROA_TRUST_ANCHORS: 'all' }, ...roas);
  await expect.poll(ofAll).toEqual([['ROUTE', '192.0.2.0/24', '24', '64501']]);
  const ofRegistries = await startWith({}, ...roas);
  await expect.poll(ofRegistries).toEqual([['ROUTE', '192.0.2.0/24', '24', '64502']]);
});

const { INVALID_ROUTES_LISTED, INVALID_ROUTES_SHOWN } = InvalidRoutes;
const unannotated = { ...annotations, roaCheck: false };

test.each<[policy: string, invalidRoutes: InvalidRoutes | undefined, found: string]>([
  ['hide', undefined, 'left out'],
  ['hide', INVALID_ROUTES_LISTED, 'left out'],
  ['hide', INVALID_ROUTES_SHOWN, 'marked'],
  ['mark', undefined, 'marked'],
  ['mark', INVALID_ROUTES_LISTED, 'left out'],
  ['mark', INVALID_ROUTES_SHOWN, 'marked'],
  ['show', undefined, 'plain'],
  ['show', INVALID_ROUTES_LISTED, 'plain'],
  ['show,TEST=hide', undefined, 'left out'],
  ['show,TEST-NONAUTH=hide', undefined, 'plain'],
])('the policy "%s" for a request of %s: %s', async (policy, invalidRoutes, expected) => {
  const { found } = await startWith({ CADASTRE_ROA_POLICY: policy }, entry('AS64501 192.0.2.0/24'));
  const shown = async () => {
    const objects = await found({ annotations: unannotated, ...(invalidRoutes && { invalidRoutes }) }).catch(
      (error) => {
        if (error.kind !== 'not-found') throw error;
        return [];
      },
    );
    const [one] = objects;
    return one === undefined ? 'left out' : one.messages.length > 0 ? 'marked' : 'plain';
  };
  await expect.poll(shown).toBe(expected);
});

test('a hidden route is found by no word, and not suggested', async () => {
  const { client, found } = await startWith({ CADASTRE_ROA_POLICY: 'hide' }, entry('AS64501 192.0.2.0/24'));
  await expect.poll(() => found().catch(({ kind }) => kind)).toBe('not-found');
  const words = { query: 'example', source: '', types: [], limit: 10, cursor: Buffer.alloc(0), client: '' };
  expect((await client.searchWords(words)).found).toEqual([]);
  expect((await client.suggest({ beginning: '192.0.2', limit: 8, client: '' })).suggestions).toEqual([]);
});
