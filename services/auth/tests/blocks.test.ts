import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AuthSystem, refusal, startAuth } from './auth-system.js';

const now = new Date('2026-11-21T12:00:30Z');
let auth: AuthSystem;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.stop());
beforeEach(async () => {
  auth.clock.set(now);
  for (const { prefix } of await listed()) await auth.blocks.removeBlock({ prefix, removedBy: 'test' });
});

const listed = async () => (await auth.blocks.listBlocks({ knownVersion: 0n })).blocks;
const add = (more: { prefix?: string; reason?: string; addedBy?: string; until?: Date } = {}) =>
  auth.blocks.addBlock({ prefix: '192.0.2.0/24', reason: 'harvesting', addedBy: 'olga', until: undefined, ...more });

test.each([
  ['192.0.2.7', '192.0.2.7/32'],
  ['10.0.0.0/8', '10.0.0.0/8'],
  ['2001:DB8:0:1::5', '2001:db8:0:1::/64'],
  ['2001:db8::/32', '2001:db8::/32'],
])('%s is blocked as %s', async (given, prefix) => {
  const { block } = await add({ prefix: given });
  expect(block).toEqual({ prefix, reason: 'harvesting', addedBy: 'olga', created: now, until: undefined });
  expect(await listed()).toEqual([block]);
});

test.each(['0.0.0.0/0', '10.0.0.0/7', '::/0', '2001:db8::/65', '192.0.2.1/24', 'example.net', '192.0.2.300', ''])(
  'not to be blocked: %s',
  async (prefix) => {
    expect(await refusal(add({ prefix }))).toEqual([
      'invalid',
      expect.stringContaining(`"${prefix}" cannot be blocked`),
    ]);
  },
);

test('all errors are reported together, and nothing is stored', async () => {
  const wrong = add({ prefix: 'x', reason: ' ', addedBy: 'a\nb', until: now });
  expect(await refusal(wrong)).toHaveLength(5);
  expect(await listed()).toEqual([]);
});

test('a block of the same network is replaced; others stay, in the order of their making', async () => {
  await add();
  await add({ prefix: '192.0.2.0/25' });
  await add({ reason: 'still harvesting', addedBy: 'piet' });
  expect((await listed()).map(({ prefix, addedBy }) => [prefix, addedBy])).toEqual([
    ['192.0.2.0/25', 'olga'],
    ['192.0.2.0/24', 'piet'],
  ]);
});

test('a block ends at its end, or when it is removed', async () => {
  await add({ until: new Date('2026-11-21T13:00:00Z') });
  await add({ prefix: '198.51.100.1' });
  auth.clock.set('2026-11-21T13:00:00Z');
  expect((await listed()).map(({ prefix }) => prefix)).toEqual(['198.51.100.1/32']);
  const { block } = await auth.blocks.removeBlock({ prefix: '198.51.100.1', removedBy: 'piet' });
  expect([block?.prefix, await listed()]).toEqual(['198.51.100.1/32', []]);
});

test.each([
  ['192.0.2.0/24', 'not-found', '192.0.2.0/24 is not blocked'],
  ['nothing', 'invalid', '"nothing" cannot be blocked'],
])('the block of %s cannot be removed', async (prefix, kind, sentence) => {
  const removal = auth.blocks.removeBlock({ prefix, removedBy: 'piet' });
  expect(await refusal(removal)).toEqual([kind, expect.stringContaining(sentence)]);
});

test('the list is sent again only when it has changed', async () => {
  await add();
  const first = await auth.blocks.listBlocks({ knownVersion: 0n });
  expect(await auth.blocks.listBlocks({ knownVersion: first.version })).toEqual({
    version: first.version,
    unchanged: true,
    blocks: [],
  });
  await auth.blocks.removeBlock({ prefix: '192.0.2.0/24', removedBy: 'piet' });
  const second = await auth.blocks.listBlocks({ knownVersion: first.version });
  expect([second.unchanged, second.blocks, second.version > first.version]).toEqual([false, [], true]);
});

test('the reason of a block and the operators who added and removed it are stored', async () => {
  await add({ prefix: '203.0.113.9' });
  await auth.blocks.removeBlock({ prefix: '203.0.113.9', removedBy: 'piet' });
  const client = new pg.Client(auth.databaseUrl);
  await client.connect();
  const { rows } = await client.query(`select reason, added_by, removed_by from block where prefix = '203.0.113.9/32'`);
  await client.end();
  expect(rows).toEqual([{ reason: 'harvesting', added_by: 'olga', removed_by: 'piet' }]);
});
