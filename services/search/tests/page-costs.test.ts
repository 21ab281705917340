import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { IndexedObject } from '../src/index-port.js';
import { type Searching, startSearching } from './searching.js';

const networks = 100;
const address = (n: number, last: number) => `10.0.${n}.${last}`;
const large = 'x'.repeat(400_000);

let searching: Searching;

beforeAll(async () => {
  searching = await startSearching([
    'irt: IRT-FAR\nsource: TEST\n',
    'irt: IRT-NEAR\nsource: TEST\n',
    'inetnum: 10.0.0.0 - 10.0.255.255\nnetname: WIDE\nmnt-irt: IRT-FAR\nsource: TEST\n',
    'inetnum: 10.0.0.0 - 10.0.49.255\nnetname: HALF\nmnt-irt: IRT-NEAR\nsource: TEST\n',
    ...Array.from({ length: networks }, (_, n) => {
      return `inetnum: ${address(n, 0)} - ${address(n, 255)}\nnetname: NET-${n}\nsource: TEST\n`;
    }),
    'mntner: ROLES-MNT\nsource: TEST\n',
    ...Array.from({ length: 8 }, (_, n) => {
      const contacts = Array.from({ length: 8 }, (_, other) => `tech-c: LR${(n + other) % 8}-TEST\n`).join('');
      return `role: Role ${n}\nnic-hdl: LR${n}-TEST\n${contacts}mnt-by: ROLES-MNT\nremarks: ${large}\nsource: TEST\n`;
    }),
    ...Array.from(
      { length: 6 },
      (_, n) => `mntner: LARGE${n}-MNT\nmnt-by: LARGE0-MNT\nremarks: ${large}\nsource: TEST\n`,
    ),
  ]);
});
afterAll(() => searching?.stop());

afterEach(() => {
  vi.restoreAllMocks();
});

/** Number of reads of the index by key and by range for a search. */
async function readsFor(request: Parameters<Searching['keys']>[0]): Promise<number> {
  const reads = [vi.spyOn(searching.index, 'load'), vi.spyOn(searching.index, 'nearestWith')];
  await searching.keys(request);
  return reads.reduce((sum, { mock }) => sum + mock.calls.length, 0);
}

test('the irts of a page of networks take two more reads, not one for each network', async () => {
  const request = { query: '10.0.0.0/16', types: ['inetnum'], limit: networks };
  const keys = await searching.keys({ ...request, limit: 400, flags: ['rMc'] });
  const irts = keys.filter((key) => key.startsWith('IRT-'));
  expect(irts).toEqual([...Array(51).fill('IRT-NEAR'), ...Array(50).fill('IRT-FAR')]);
  const without = await readsFor({ ...request, flags: ['rM'] });
  const withIrts = await readsFor({ ...request, flags: ['rMc'] });
  // Their enclosing networks, and the irts themselves.
  expect(withIrts - without).toBe(2);
});

test('a page of large objects comes in messages that can be sent', async () => {
  const responses = await searching.responses({ query: 'LARGE0-MNT', inverseAttributes: ['mnt-by'], flags: ['r'] });
  const keys = responses.map(({ objects }) => objects.map(({ object }) => object!.key));
  expect(keys).toEqual([
    ['LARGE0-MNT', 'LARGE1-MNT'],
    ['LARGE2-MNT', 'LARGE3-MNT'],
    ['LARGE4-MNT', 'LARGE5-MNT'],
  ]);
  expect(responses.map(({ serial }) => serial > 0n)).toEqual([true, false, false]);
});

test.each([
  ['a page of large objects', { query: 'ROLES-MNT', inverseAttributes: ['mnt-by'], flags: ['r'] }, 8],
  ['their contacts in groups', { query: 'ROLES-MNT', inverseAttributes: ['mnt-by'], flags: ['B'] }, 64],
  ['their contacts at the end', { query: 'ROLES-MNT', inverseAttributes: ['mnt-by'], flags: ['BG'] }, 16],
])('no read of the index has more than about 1 MiB of %s', async (_, request, count) => {
  let largest = 0;
  const measure = (objects: readonly IndexedObject[]) => {
    largest = Math.max(
      largest,
      objects.reduce((sum, { text }) => sum + text.length, 0),
    );
  };
  const { load, query } = searching.index;
  vi.spyOn(searching.index, 'load').mockImplementation(async (ids) => {
    const loaded = await load(ids);
    measure(loaded.objects);
    return loaded;
  });
  vi.spyOn(searching.index, 'query').mockImplementation(async (...requested) => {
    const matches = await query(...requested);
    if (matches === undefined) return undefined;
    const pages = async function* () {
      for await (const page of matches.pages) {
        measure(page);
        yield page;
      }
    };
    return { ...matches, pages: pages() };
  });
  expect(await searching.keys(request)).toHaveLength(count);
  expect(largest).toBeGreaterThan(0);
  expect(largest).toBeLessThan(1.1 * 1024 * 1024);
});

test.each([
  [50, 50, 1],
  [100, 100, 1],
  [101, 101, 3],
  [undefined, 101, 3],
])('a search up to the limit %s fetches at most one page beyond its end', async (limit, count, steps) => {
  const { query } = searching.index;
  let fetched = 0;
  vi.spyOn(searching.index, 'query').mockImplementation(async (...requested) => {
    const matches = await query(...requested);
    if (matches === undefined) return undefined;
    const iterator = matches.pages[Symbol.asyncIterator]();
    const next = () => {
      fetched++;
      return iterator.next();
    };
    return { ...matches, pages: { [Symbol.asyncIterator]: () => ({ next }) } };
  });
  const request = { query: '10.0.0.0/16', types: ['inetnum'], flags: ['rM'], ...(limit !== undefined && { limit }) };
  expect(await searching.keys(request)).toHaveLength(count);
  expect(fetched).toBe(steps);
});
