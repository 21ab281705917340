import { describe, expect, test } from 'vitest';
import { objectsOf } from './objects.fixture.js';
import { clients, clientsOver, collect, questions } from './resources.fixture.js';

const { locations } = clients();
const allocation = { source: 'TEST', type: 'inetnum', key: '192.0.2.0 - 192.0.2.255' };

describe('Locate', () => {
  test('gathers from object, enclosing object and organisation', async () => {
    expect(await locations.locate({ resource: '192.0.2.1' })).toEqual({
      location: {
        geoloc: { value: '52.37 4.89', holder: allocation },
        languages: [{ value: 'fr', holder: { source: 'TEST', type: 'organisation', key: 'ORG-EX1-TEST' } }],
        geofeed: {
          value: 'https://example.net/feed.csv',
          holder: { source: 'TEST', type: 'inetnum', key: '192.0.2.0 - 192.0.2.99' },
        },
      },
    });
  });

  test.each(['192.0.2.0/24', '192.0.2.200', '192.0.2.90 - 192.0.2.102'])('%s is located', async (resource) => {
    const { location } = await locations.locate({ resource });
    expect([location?.geoloc?.value, location?.geofeed]).toEqual(['52.37 4.89', undefined]);
  });

  test.each([
    ['198.51.100.1', 'No geolocation data was found for the given ipkey: %s', ['198.51.100.1']],
    ['2001:db8::1', 'No geolocation data was found for the given ipkey: %s', ['2001:db8::1']],
  ])('%s is registered, but has no location', async (resource, text, args) => {
    await expect(locations.locate({ resource })).rejects.toMatchObject({
      kind: 'not-found',
      messages: [{ text, args }],
    });
  });

  test.each(['foo', '', 'AS64500'])('"%s" is not an address', async (resource) => {
    await expect(locations.locate({ resource })).rejects.toMatchObject({
      kind: 'invalid',
      messages: [{ text: 'Invalid argument: %s', args: [resource] }],
    });
  });

  test('an address without any enclosing object, not even a root, is not found', async () => {
    await expect(clientsOver(objectsOf([])).locations.locate({ resource: '192.0.2.1' })).rejects.toMatchObject({
      kind: 'not-found',
      messages: [{ text: 'No inetnum/inet6num resource has been found', args: [] }],
    });
  });
});

test('LocateMany answers every question, in order, including invalid ones', async () => {
  const requested = ['198.51.100.1', '192.0.2.1', 'AS64500', '192.0.2.200'];
  const answers = await collect(locations.locateMany(questions(requested)));
  expect(answers.map(({ resource, location }) => [resource, location?.geoloc?.value])).toEqual([
    ['198.51.100.1', undefined],
    ['192.0.2.1', '52.37 4.89'],
    ['AS64500', undefined],
    ['192.0.2.200', '52.37 4.89'],
  ]);
});
