import { SearchServiceService } from '@cadastre/proto/search';
import { connect, readSettings, ServiceError, SettingsError } from '@cadastre/service';
import { testLogger } from '@cadastre/service/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chooseIndex } from '../src/choose-index.js';
import { createSearchService } from '../src/service.js';
import { searchSettings } from '../src/settings.js';
import { indexDirectory } from './index-directory.js';
import { createRegistry } from './registry.js';
import { collect, noRequest } from './searching.js';

function settingsOf(more: Record<string, string> = {}) {
  return readSettings(searchSettings, {
    CADASTRE_LISTEN: '127.0.0.1:0',
    CADASTRE_OBJECTS_ADDRESS: '127.0.0.1:9',
    CADASTRE_OPERATIONS: '127.0.0.1:0',
    CADASTRE_GRS_SOURCES: 'other-grs',
    ...more,
  });
}

describe('the service with an index of its own', () => {
  const registry = createRegistry(['TEST', 'OTHER-GRS']);
  let index: Awaited<ReturnType<typeof indexDirectory>>;
  let service: Awaited<ReturnType<typeof createSearchService>>;
  let client: ReturnType<typeof connect<typeof SearchServiceService>>;

  beforeAll(async () => {
    index = await indexDirectory();
    const settings = settingsOf({ CADASTRE_DATA_DIR: index.path });
    service = await createSearchService(settings, { logger: testLogger(), backend: registry.backend });
    await service.start();
    client = connect(SearchServiceService, { address: service.address(), deadlineMs: 60_000 });
  });

  afterAll(async () => {
    client?.close();
    await service?.stop();
    await index?.remove();
  });

  test('stored objects are found', async () => {
    const minSerial = registry.put('mntner: A-MNT\nsource: TEST\n');
    const responses = await collect(client.search({ ...noRequest, query: 'A-MNT', minSerial }));
    expect(responses.flatMap((one) => one.objects).map((one) => one.object!.key)).toEqual(['A-MNT']);
  });

  test('the status has the position of the index of each source', async () => {
    const minSerial = registry.put('mntner: B-MNT\nsource: TEST\n');
    await collect(client.search({ ...noRequest, query: 'B-MNT', minSerial }));
    const { sources } = await client.getIndexStatus({});
    expect(sources.map((one) => one.source)).toEqual(['TEST', 'OTHER-GRS']);
    expect(sources[0]).toMatchObject({ serial: minSerial, rebuilding: false, reached: expect.any(Date) });
    expect(sources[0]!.objects).toBeGreaterThanOrEqual(1n);
  });

  test('a rebuild starts by name; unknown names are refused', async () => {
    await expect(client.rebuildIndex({ source: 'NOWHERE' })).rejects.toMatchObject({
      kind: 'invalid',
      messages: [{ text: "Invalid source '%s'", args: ['NOWHERE'] }],
    });
    // A search for unfinished rebuilds may hold the lock for a moment.
    const begin = () => client.rebuildIndex({ source: 'test' }).catch(({ kind }) => kind);
    await expect.poll(begin).toEqual({ id: expect.stringMatching(/^\d+$/) });
    const rebuilding = async () => (await client.getIndexStatus({})).sources[0]!.rebuilding;
    await expect.poll(rebuilding).toBe(false);
  });
});

test('the service waits for the store of its index', async () => {
  const directory = await indexDirectory();
  const settings = settingsOf({ CADASTRE_DATA_DIR: directory.path });
  const own = await chooseIndex(settings, testLogger());
  let starts = 0;
  const index = {
    ...own,
    async start() {
      if (starts++ === 0) throw new ServiceError('unavailable', 'The search index is not available');
      await own.start();
    },
  };
  const service = await createSearchService(settings, { logger: testLogger(), index });
  await service.start();
  expect(starts).toBe(2);
  await service.stop();
  await directory.remove();
});

test('an adapter without its setting is a settings error', async () => {
  const settings = settingsOf({ CADASTRE_SEARCH_ADAPTER: 'opensearch' });
  await expect(createSearchService(settings, { logger: testLogger() })).rejects.toThrow(SettingsError);
});

test('an unknown adapter is a settings error', () => {
  expect(() => settingsOf({ CADASTRE_SEARCH_ADAPTER: 'paper' })).toThrow(SettingsError);
});
