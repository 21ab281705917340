import { AbuseContactServiceService, GeolocationServiceService } from '@cadastre/proto/geo';
import { connect, readSettings, ServiceError } from '@cadastre/service';
import { testLogger } from '@cadastre/service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createSearchService } from '../src/service.js';
import { searchSettings } from '../src/settings.js';
import { indexDirectory } from './index-directory.js';
import { type CountedObjects, objectsOf } from './objects.fixture.js';
import { createRegistry } from './registry.js';
import { collect, questions, registry } from './resources.fixture.js';

type SearchService = Awaited<ReturnType<typeof createSearchService>>;

const stops: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const stop of stops) await stop();
});

async function start(objects: CountedObjects, env: Record<string, string> = {}): Promise<SearchService> {
  const index = await indexDirectory();
  const settings = readSettings(searchSettings, {
    CADASTRE_LISTEN: '127.0.0.1:0',
    CADASTRE_OPERATIONS: '127.0.0.1:0',
    CADASTRE_OBJECTS_ADDRESS: '127.0.0.1:9',
    CADASTRE_SUSPECT_MAILBOXES: 'Abuse@example.net',
    CADASTRE_DATA_DIR: index.path,
    ...env,
  });
  const { backend } = createRegistry(['TEST']);
  const service = await createSearchService(settings, { logger: testLogger(), backend, objects });
  await service.start();
  stops.push(async () => {
    await service.stop();
    await index.remove();
  });
  return service;
}

let objects: CountedObjects;
let service: SearchService;
beforeAll(async () => {
  objects = objectsOf(registry);
  service = await start(objects);
});

const client = () => ({ address: service.address(), deadlineMs: 60_000 });

test('addresses are located over the wire', async () => {
  const geolocation = connect(GeolocationServiceService, client());
  expect((await geolocation.locate({ resource: '192.0.2.1' })).location?.geoloc?.value).toBe('52.37 4.89');
  geolocation.close();
});

test('a long stream of questions takes few calls and keeps its order', async () => {
  const contacts = connect(AbuseContactServiceService, client());
  const resources = Array.from({ length: 5000 }, (_, n) => `192.0.2.${n % 256}`);
  const before = objects.requested.batchFindEnclosing.length;
  const answers = await collect(contacts.findAbuseContacts(questions(resources)));
  expect(answers.map(({ resource }) => resource)).toEqual(resources);
  expect(answers[7]?.contact).toMatchObject({ role: 'AR1-TEST', suspect: true });
  expect(objects.requested.batchFindEnclosing.length - before).toBeLessThan(250);
  contacts.close();
});

test('an answer comes before the stream of questions ends', async () => {
  const contacts = connect(AbuseContactServiceService, client());
  const answered = Promise.withResolvers<void>();
  async function* oneAtATime() {
    yield { resource: 'AS64500' };
    await answered.promise;
    yield { resource: '192.0.2.1' };
  }
  const roles: (string | undefined)[] = [];
  for await (const { contact } of contacts.findAbuseContacts(oneAtATime())) {
    roles.push(contact?.role);
    answered.resolve();
  }
  expect(roles).toEqual(['AR1-TEST', 'AR1-TEST']);
  contacts.close();
});

test('the maintainers of the operator are a setting', async () => {
  const ofOperator = await start(objectsOf(registry), { CADASTRE_OPERATOR_MAINTAINERS: 'Other-MNT,Ex-Mnt' });
  const contacts = connect(AbuseContactServiceService, { ...client(), address: ofOperator.address() });
  await expect(contacts.findAbuseContact({ resource: '192.0.2.1' })).rejects.toMatchObject({ kind: 'not-found' });
  contacts.close();
});

test('without the objects service the calls fail', async () => {
  const unavailable = async () => Promise.reject(new ServiceError('unavailable', 'Service temporarily unavailable'));
  const alone = await start({ ...objectsOf([]), batchFindEnclosing: unavailable });
  const geolocation = connect(GeolocationServiceService, { ...client(), address: alone.address() });
  await expect(geolocation.locate({ resource: '192.0.2.1' })).rejects.toMatchObject({ kind: 'unavailable' });
  geolocation.close();
});
