import { afterAll, beforeAll, expect, test } from 'vitest';
import { collect, noRequest, type Searching, startSearching } from './searching.js';

let searching: Searching;
let serials: { test: bigint; other: bigint };

beforeAll(async () => {
  searching = await startSearching();
  const { registry } = searching;
  const desk = { id: 'desk', data: '' };
  const unref = { id: 'unref', data: '28' };
  registry.put('person: Jane Doe\nnic-hdl: JD1-TEST\nsource: TEST\n');
  registry.put('mntner: A-MNT\nadmin-c: JD1-TEST\nsource: TEST\n', { tags: [desk, unref] });
  registry.put('mntner: B-MNT\nadmin-c: JD1-TEST\nsource: TEST\n', { tags: [desk] });
  registry.put('aut-num: AS64496\nas-name: ONE\nsource: TEST\n');
  registry.put('aut-num: AS64500\nas-name: OURS\ntech-c: JD1-TEST\nsource: TEST\n');
  registry.put('aut-num: AS64501\nas-name: FOREIGN\ntech-c: JD1-TEST\nsource: TEST-NONAUTH\n');
  const test = registry.put('mntner: C-MNT\nadmin-c: JD1-TEST\nsource: TEST\n');
  registry.put('aut-num: AS64496\nas-name: TWO\nsource: OTHER-GRS\n', { source: 'OTHER-GRS' });
  const other = registry.put('person: John Doe\nnic-hdl: JD1-TEST\nsource: OTHER-GRS\n', { source: 'OTHER-GRS' });
  serials = { test, other };
  await searching.responses({ query: 'AS64496', minSerial: test });
  await searching.responses({ query: 'AS64496', sources: ['OTHER-GRS'], minSerial: other });
});

afterAll(() => searching?.stop());

const contacts = { query: 'JD1-TEST', inverseAttributes: ['admin-c'] };

test.each([
  [{ includeTags: ['unref'] }, ['A-MNT']],
  [{ includeTags: ['UNREF', 'nothing'] }, ['A-MNT']],
  [{ excludeTags: ['unref'] }, ['JD1-TEST', 'B-MNT', 'JD1-TEST', 'C-MNT', 'JD1-TEST']],
  [{ includeTags: ['desk'], excludeTags: ['unref', 'other'] }, ['B-MNT']],
])('objects with tags %j, related ones included', async (tags, keys) => {
  expect(await searching.keys({ ...contacts, ...tags })).toEqual(keys);
});

test('tags are shown', async () => {
  const [found] = await searching.objects({ ...contacts, includeTags: ['unref'] });
  expect(found!.object!.tags).toEqual([
    { id: 'desk', data: '' },
    { id: 'unref', data: '28' },
  ]);
});

test('filters that leave nothing: nothing found', async () => {
  await expect(searching.keys({ ...contacts, includeTags: ['nothing'] })).rejects.toMatchObject({ kind: 'not-found' });
});

test('only the main source by default; named ones in the given order, each searched separately', async () => {
  const sources = async (request: object) =>
    (await searching.objects({ query: 'AS64496', ...request })).map((one) => one.object!.source);
  expect(await sources({})).toEqual(['TEST']);
  expect(await sources({ sources: ['other-grs', 'test'] })).toEqual(['OTHER-GRS', 'TEST']);
  expect(await sources({ flags: ['resource'] })).toEqual(['TEST', 'OTHER-GRS']);
});

test.each([
  [[], ['AS64500', 'AS64501']],
  [['TEST'], ['AS64500']],
  [['TEST-GRS'], ['AS64500']],
  [['test-nonauth'], ['AS64501']],
  [
    ['TEST-NONAUTH', 'TEST'],
    ['AS64500', 'AS64501'],
  ],
  [
    ['TEST', 'TEST-GRS'],
    ['AS64500', 'AS64500'],
  ],
])('of the sources %j, objects about resources of other regions are a part: %j', async (sources, keys) => {
  const request = { query: 'JD1-TEST', inverseAttributes: ['tech-c'], sources };
  expect(await searching.keys({ ...request, flags: ['r'] })).toEqual(keys);
  // Their references may be of any part.
  expect(await searching.keys(request)).toEqual(keys.flatMap((key) => [key, 'JD1-TEST']));
});

test('"nothing found" names the sources as requested', async () => {
  const request = { query: 'AS64500', sources: ['test-nonauth', 'OTHER-GRS'] };
  await expect(searching.keys(request)).rejects.toMatchObject({
    kind: 'not-found',
    messages: [{ args: ['TEST-NONAUTH,OTHER-GRS'] }],
  });
});

test('a useless flag causes a warning, and the query runs', async () => {
  const [response] = await searching.responses({ query: 'AS64500', flags: ['rx'] });
  expect(response!.objects.map(({ object }) => object!.key)).toEqual(['AS64500']);
  expect(response!.messages).toMatchObject([{ text: expect.stringMatching(/^WARNING:902: useless IP flag passed\n/) }]);
});

test('a search may wait for the serial of a write', async () => {
  const serial = searching.registry.put('mntner: NEW-MNT\nadmin-c: JD1-TEST\nsource: TEST\n');
  const [response] = await searching.responses({ query: 'NEW-MNT', flags: ['r'], minSerial: serial });
  expect(response!.serial).toBe(serial);
  expect(response!.objects.map((one) => one.object!.key)).toEqual(['NEW-MNT']);
});

const searchFor = (minSerial: bigint, deadlineMs: number) =>
  collect(searching.client.search({ ...noRequest, query: 'NEW-MNT', minSerial }, { deadlineMs }));

test('a serial that no write has had is refused', async () => {
  await expect(searchFor(serials.test + 1000n, 60_000)).rejects.toMatchObject({ kind: 'out-of-range' });
});

test('a serial not reached before the deadline, while the registry is unavailable', async () => {
  searching.registry.goAway();
  try {
    await expect(searchFor(serials.test + 1000n, 300)).rejects.toMatchObject({ kind: 'timeout' });
  } finally {
    searching.registry.comeBack();
  }
});
