import { ChangeFeedServiceService, ObjectReaderServiceService } from '@cadastre/proto/objects';
import { connect, createLogger, readSettings } from '@cadastre/service';
import { testDatabase, testLogger } from '@cadastre/service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createObjectsService } from '../src/service.js';
import { objectsSettings } from '../src/settings.js';
import { openRelay } from './database-relay.js';

let database: Awaited<ReturnType<typeof testDatabase>>;

beforeAll(async () => {
  database = await testDatabase(new URL('../migrations/', import.meta.url));
});
afterAll(() => database.drop());

const settings = (url: string) =>
  readSettings(objectsSettings, {
    CADASTRE_DATABASE_URL: url,
    CADASTRE_LISTEN: '127.0.0.1:0',
    CADASTRE_AUTH_ADDRESS: '127.0.0.1:9',
    CADASTRE_SOURCE: 'example',
    CADASTRE_GRS_SOURCES: 'b-grs,A-GRS',
  });

test('the service responds on its port, ends feed streams when it stops, and starts again', async () => {
  for (let start = 0; start < 2; start++) {
    const service = await createObjectsService(settings(database.url), { logger: testLogger() });
    await service.start();
    const options = { address: service.address(), deadlineMs: 60_000 };
    const reader = connect(ObjectReaderServiceService, options);
    const { sources } = await reader.listSources({});
    expect(sources.map((source) => source.name)).toEqual(['EXAMPLE', 'A-GRS', 'B-GRS']);
    const feed = connect(ChangeFeedServiceService, options);
    const request = { source: 'EXAMPLE', afterSerial: 0n, keysOnly: true, fromNow: true, latestOnly: false };
    const responses = feed.watch(request)[Symbol.asyncIterator]();
    expect((await responses.next()).value).toEqual({ changes: [], serial: 0n });
    const next = expect(responses.next()).rejects.toMatchObject({ kind: 'unavailable' });
    await service.stop();
    await next;
    reader.close();
    feed.close();
  }
});

test('the service warns about missing operator maintainers', async () => {
  const lines: string[] = [];
  const logger = createLogger({ service: 'test', destination: { write: (line) => void lines.push(line) } });
  const operated = { ...settings(database.url), operatorMaintainers: ['Gone-MNT'] };
  const service = await createObjectsService(operated, { logger });
  await service.start();
  await service.stop();
  // On a busy machine the service may also warn that it cannot reach its database yet.
  const warnings = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.startsWith('operator maintainers'));
  expect(warnings).toMatchObject([
    { level: 'warn', missing: ['GONE-MNT'], msg: 'operator maintainers do not exist: load them' },
  ]);
});

test('the service waits for its database', async () => {
  const relay = await openRelay(database.url, { refused: 1 });
  const lines: string[] = [];
  const logger = createLogger({ service: 'test', destination: { write: (line) => void lines.push(line) } });
  const service = await createObjectsService(settings(relay.url), { logger });
  await service.start();
  expect(lines.map((line) => JSON.parse(line).msg)).toContain('cannot reach the store yet');
  await service.stop();
  relay.close();
});

test('without its database the service gives up', async () => {
  const unreachable = settings('postgres://nobody@127.0.0.1:9/none');
  await expect(createObjectsService(unreachable, { logger: testLogger(), databaseWaitMs: 1 })).rejects.toThrow(
    'ECONNREFUSED',
  );
});
