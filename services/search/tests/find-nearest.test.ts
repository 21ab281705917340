import type { FindNearestResponse } from '@cadastre/proto/search';
import { formatRange } from '@cadastre/rpsl';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ModelRange, randomTree } from './random-trees.js';
import { type Searching, startSearching } from './searching.js';

const base = 0x0a000000n;
const size = 256n;
const tree: ModelRange[] = randomTree(3, base, size);
const keyOf = ({ first, last }: ModelRange) => formatRange({ family: 4, first, last });

const zone = (name: string) => `domain: ${name}\nnserver: ns.example.net\nsource: TEST\n`;
const large = ['172.16.0.0 - 172.16.255.255', '172.16.0.0 - 172.16.0.255'];
const objects = [
  ...tree.map((range) => `inetnum: ${keyOf(range)}\nnotify: a@example.net\nsource: TEST\n`),
  ...['0.2.192.in-addr.arpa', '2.192.in-addr.arpa', '1.0.2.192.in-addr.arpa'].map(zone),
  `inet6num: 2001:db8::/32\nremarks: six\nsource: TEST\n`,
  ...large.map((key) => `inetnum: ${key}\nremarks: ${'x'.repeat(600_000)}\nsource: TEST\n`),
];

let searching: Searching;
let newest: bigint;
beforeAll(async () => {
  searching = await startSearching(objects);
  const copied = 'inetnum: 192.0.2.0 - 192.0.2.255\nsource: OTHER-GRS\n';
  const serial = searching.registry.put(copied, { source: 'OTHER-GRS' });
  await searching.indexer.reached('OTHER-GRS', serial, AbortSignal.timeout(60_000));
  newest = (await searching.index.position('TEST'))!.serial;
});
afterAll(() => searching?.stop());

const networks = ['inetnum', 'inet6num'];
const find = (resources: readonly string[], types = networks, minSerial = newest) =>
  searching.client.findNearest({ resources: [...resources], types, minSerial });

/** The keys of an answer, and whether the first object contains others. */
const shownOf = ({ answers, objects: all }: FindNearestResponse, at = 0) => ({
  keys: answers[at]!.positions.map((position) => all[position]!.key),
  holding: answers[at]!.holding,
});

test('finds the smallest network around each address and range, and the next one around that', async () => {
  const requests = [
    ...Array.from({ length: Number(size) }, (_, n) => ({ first: base + BigInt(n), last: base + BigInt(n) })),
    ...tree,
  ];
  const encloses = (one: ModelRange, other: ModelRange) => one.first <= other.first && one.last >= other.last;
  for (let from = 0; from < requests.length; from += 100) {
    const part = requests.slice(from, from + 100);
    const response = await find(part.map(keyOf));
    expect(response.answered).toBe(true);
    for (const [at, range] of part.entries()) {
      const around = tree
        .filter((one) => encloses(one, range))
        .sort((one, other) => Number(one.last - one.first - (other.last - other.first)));
      const [first] = around;
      expect(shownOf(response, at), keyOf(range)).toEqual({
        keys: around.slice(0, 2).map(keyOf),
        holding: first !== undefined && tree.some((one) => one !== first && encloses(first, one)),
      });
    }
    expect(new Set(response.objects.map(({ key }) => key)).size).toBe(response.objects.length);
  }
});

test.each([
  ['of each requested type', '2001:db8::1', networks, ['2001:db8::/32']],
  ['zones', '192.2.0.0/24', ['domain'], ['0.2.192.in-addr.arpa', '2.192.in-addr.arpa']],
  ['nothing where nothing is', '203.0.113.1', networks, []],
  ['nothing around something else', 'example', networks, []],
  ['nothing of a copy', '192.0.2.1', networks, []],
])('finds %s', async (_, resource, types, keys) => {
  const response = await find([resource], types);
  expect(shownOf(response).keys).toEqual(keys);
});

test('shows e-mail addresses', async () => {
  const { objects: found } = await find([keyOf(tree[0]!)]);
  expect(found[0]).toMatchObject({ source: 'TEST', type: 'inetnum', key: keyOf(tree[0]!) });
  expect(found[0]!.text).toContain('notify:');
});

test.each([
  ['of a state that the index does not have yet', '10.0.0.1', 1n],
  ['with too much text', '172.16.0.1', 0n],
])('does not answer a request %s', async (_, resource, ahead) => {
  expect(await find([resource], networks, newest + ahead)).toEqual({ answered: false, answers: [], objects: [] });
});

test.each([
  ['more than 100 resources', Array.from({ length: 101 }, () => '10.0.0.1'), networks, /100 resources/],
  ['an unknown type', ['10.0.0.1'], ['network'], /network/],
])('refuses %s', async (_, resources, types, message) => {
  await expect(find(resources, types)).rejects.toMatchObject({
    kind: 'invalid',
    message: expect.stringMatching(message),
  });
});
