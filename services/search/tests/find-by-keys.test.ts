import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Searching, startSearching } from './searching.js';

const large = ['LARGE1-TEST', 'LARGE2-TEST'];
const objects = [
  'person: Example\nnic-hdl: EX1-TEST\ne-mail: ex@example.net\nsource: TEST\n',
  'mntner: EXAMPLE-MNT\nauth: SSO ex@example.net\nsource: TEST\n',
  ...large.map((handle) => `role: Large\nnic-hdl: ${handle}\nremarks: ${'x'.repeat(600_000)}\nsource: TEST\n`),
];

let searching: Searching;
let newest: bigint;
beforeAll(async () => {
  searching = await startSearching(objects);
  const copied = 'person: Copy\nnic-hdl: COPY-TEST\nsource: OTHER-GRS\n';
  const serial = searching.registry.put(copied, { source: 'OTHER-GRS' });
  await searching.indexer.reached('OTHER-GRS', serial, AbortSignal.timeout(60_000));
  newest = (await searching.index.position('TEST'))!.serial;
});
afterAll(() => searching?.stop());

const find = (names: readonly string[], minSerial = newest) => {
  const keys = names.map((name) => {
    const [type = '', key = ''] = name.split(' ');
    return { source: 'TEST', type, key };
  });
  return searching.client.findByKeys({ keys, minSerial });
};

test.each([
  ['in any letter case', ['person ex1-test'], ['EX1-TEST']],
  ['of several types', ['mntner EXAMPLE-MNT', 'person EX1-TEST'], ['EXAMPLE-MNT', 'EX1-TEST']],
  ['that exist', ['person EX2-TEST', 'role EX1-TEST', 'person EX1-TEST'], ['EX1-TEST']],
  ['but none of a copy', ['person COPY-TEST'], []],
  ['none without keys', [], []],
])('finds objects %s', async (_, names, keys) => {
  const { answered, objects: all } = await find(names);
  expect(answered).toBe(true);
  expect(all.map(({ key }) => key).sort()).toEqual(keys.sort());
});

test('shows e-mail addresses, but no secrets', async () => {
  const { objects: all } = await find(['person EX1-TEST', 'mntner EXAMPLE-MNT']);
  const texts = all.map(({ text }) => text).join('\n');
  expect(texts).toContain('ex@example.net');
  expect(texts).not.toContain('SSO ex@example.net');
});

test.each([
  ['of a state that the index does not have yet', ['person EX1-TEST'], 1n],
  ['with too much text', large.map((handle) => `role ${handle}`), 0n],
])('does not answer a request %s', async (_, names, ahead) => {
  expect(await find(names, newest + ahead)).toEqual({ answered: false, objects: [] });
});

test.each([
  ['more than 100 keys', Array.from({ length: 101 }, () => 'person EX1-TEST'), /100 keys/],
  ['an unknown type', ['people EX1-TEST'], /people/],
])('refuses %s', async (_, names, message) => {
  await expect(find(names)).rejects.toMatchObject({ kind: 'invalid', message: expect.stringMatching(message) });
});
