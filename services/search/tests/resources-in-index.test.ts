import { formatRange } from '@cadastre/rpsl';
import { createTurns } from '@cadastre/service';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { currentIndex } from '../src/resources/current-index.js';
import { lineagesInIndex } from '../src/resources/lineages-in-index.js';
import { objectsOf } from './objects.fixture.js';
import { randomTree } from './random-trees.js';
import { clientsOver, registry } from './resources.fixture.js';
import { type Searching, startSearching } from './searching.js';

// The index must answer as the objects service does.
const base = 0x0a000000n;
const size = 256n;
const choices = {
  org: ['ORG-EX1-TEST', 'ORG-EX2-TEST', 'ORG-NO9-TEST'],
  'abuse-c': ['AR1-TEST', 'AR2-TEST', 'NO9-TEST'],
  'mnt-by': ['EX-MNT', 'RS-MNT'],
  status: ['ASSIGNED PA', 'ALLOCATED PA'],
  geoloc: ['52.37 4.89', '1.5 -2'],
  language: ['fr', 'de'],
  geofeed: ['https://example.net/feed.csv'],
};

/** Nested networks; each has some of the attributes that decide. */
const networks = [...randomTree(1, base, size), { first: base, last: base + size - 1n }].map(({ first, last }, n) => [
  `inetnum: ${formatRange({ family: 4, first, last })}`,
  ...Object.entries(choices).flatMap(([name, values], at) => {
    const choice = (n * 7 + at * 3 + (n >> at)) % (2 * values.length + 1);
    return choice < values.length ? [`${name}: ${values[choice]}`] : [];
  }),
]);
const huge = ['inetnum: 172.16.0.0 - 172.16.255.255', 'abuse-c: AR1-TEST', `remarks: ${'x'.repeat(600_000)}`];
const here = [...registry.filter((lines) => !lines.includes('source: OTHER-GRS')), ...networks, huge];

let searching: Searching;
let newest: bigint;
beforeAll(async () => {
  searching = await startSearching(here.map((lines) => `${lines.join('\n')}\nsource: TEST\n`));
  newest = (await searching.index.position('TEST'))!.serial;
});
afterAll(() => searching?.stop());

const clients = (isFollowing = searching.indexer.isFollowing, turns = createTurns(4)) =>
  clientsOver(
    objectsOf(here),
    lineagesInIndex(searching.index.readState!, currentIndex(searching.index, isFollowing, 'TEST'), turns, 'TEST'),
  );

const addresses = Array.from({ length: Number(size) }, (_, n) => `10.0.0.${n}`);
const resources = [
  ...addresses,
  ...networks.map(([line]) => line!.replace('inetnum: ', '')),
  ...[
    '192.0.2.1',
    '192.0.2.0/24',
    '192.0.2.90 - 192.0.2.102',
    '198.51.100.7',
    '203.0.113.1',
    '2001:db8::1',
    '2001:db9::',
  ],
  ...['AS64500', 'as64501', 'AS64999', 'AS1 - AS5', 'foo', ''],
];

test('abuse contacts are those of the objects service', async () => {
  const { contacts, requested } = clients();
  for (let at = 0; at < resources.length; at += 100) {
    const part = resources.slice(at, at + 100);
    const found = await contacts.batchFindAbuseContacts({ resources: part, minSerial: newest });
    expect(requested.batchFindEnclosing).toEqual([]);
    expect(found).toEqual(await contacts.batchFindAbuseContacts({ resources: part }));
    requested.batchFindEnclosing.length = 0;
  }
});

test('locations are those of the objects service', async () => {
  const { locations, requested } = clients();
  const outcome = (resource: string, minSerial?: bigint) =>
    locations.locate({ resource, minSerial }).catch(({ kind, messages }) => ({ kind, messages }));
  const found = new Set<string>();
  for (const resource of resources) {
    const one = await outcome(resource, newest);
    expect(requested.batchFindEnclosing).toEqual([]);
    expect(one, resource).toEqual(await outcome(resource));
    requested.batchFindEnclosing.length = 0;
    found.add(JSON.stringify(one));
  }
  expect(found.size).toBeGreaterThan(10);
});

test.each([
  ['in a state that the index does not have yet', '10.0.0.1', 1n],
  ['without a serial', '10.0.0.1', undefined],
  ['around which the index would read too much', '172.16.0.1', 0n],
])('the objects service answers about resources %s', async (_, resource, ahead) => {
  const { contacts, requested } = clients();
  const minSerial = ahead === undefined ? undefined : newest + ahead;
  await contacts.batchFindAbuseContacts({ resources: [resource], minSerial });
  expect(requested.batchFindEnclosing).toEqual([1]);
});

test('the objects service answers while the index does not follow the registry, which may have been restored', async () => {
  const { locations, requested } = clients(() => false);
  await locations.locate({ resource: '192.0.2.1', minSerial: newest });
  expect(requested.batchFindEnclosing).toEqual([1]);
});

test('each client has its own turns', async () => {
  const turns = createTurns(2, 1);
  const { locations } = clients(undefined, turns);
  const located = (client: string) => locations.locate({ resource: '192.0.2.1', minSerial: newest, client });
  const reading = Promise.withResolvers<void>();
  const held = turns.of('busy', AbortSignal.timeout(60_000)).read(() => reading.promise);
  const order: string[] = [];
  const waiting = located('busy').then(() => order.push('busy'));
  await located('quiet').then(() => order.push('quiet'));
  reading.resolve();
  await Promise.all([held, waiting]);
  expect(order).toEqual(['quiet', 'busy']);
});

test('a change counts from its serial on', async () => {
  const { contacts } = clients();
  const contactOf = async (minSerial: bigint) => {
    const { answers } = await contacts.batchFindAbuseContacts({ resources: ['AS64500'], minSerial });
    return answers[0]!.contact?.email;
  };
  expect(await contactOf(newest)).toBe('abuse@example.net');
  const role = 'role: Abuse\nnic-hdl: AR1-TEST\nabuse-mailbox: new@example.net\nsource: TEST\n';
  const serial = searching.registry.put(role);
  await searching.indexer.reached('TEST', serial, AbortSignal.timeout(60_000));
  expect(await contactOf(serial)).toBe('new@example.net');
});
