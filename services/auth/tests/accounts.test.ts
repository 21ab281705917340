import { afterEach, beforeEach, expect, test } from 'vitest';
import { type AuthSystem, ordinaryKey, refusal, startAuth } from './auth-system.js';

let auth: AuthSystem;
beforeEach(async () => {
  auth = await startAuth();
});
afterEach(() => auth.stop());

const resolve = async (request: { names?: string[]; ids?: string[] }) => {
  const { accounts } = await auth.accounts.resolveAccounts({ names: [], ids: [], ...request });
  return accounts.sort((one, other) => one.id.localeCompare(other.id));
};
const alice = { id: 'a-1', name: 'Alice@example.net' };
const bob = { id: 'b-2', name: 'bob@example.net' };

test('accounts are found by name in any letter case and by subject, each once; the unknown are left out', async () => {
  const names = ['ALICE@example.net', 'alice@example.net', 'nobody@example.net'];
  expect(await resolve({ names, ids: ['b-2', 'a-1', 'z-9'] })).toEqual([alice, bob]);
});

test('names that cannot be accounts are not looked up', async () => {
  const names = ['', 'two words', 'a\0b', 'x'.repeat(255)];
  expect(await resolve({ names, ids: ['', '\0', 'x'.repeat(256)] })).toEqual([]);
  expect(auth.directory.requests).toEqual([]);
});

test('a name cannot change the question', async () => {
  expect(await resolve({ names: ['"or"userName"ne"', '../x'] })).toEqual([]);
  expect(auth.directory.requests.toSorted()).toEqual([
    'GET /scim/v2/Users userName eq "../x"',
    'GET /scim/v2/Users userName eq "\\"or\\"userName\\"ne\\""',
  ]);
});

test('an inactive account is unknown', async () => {
  auth.directory.users.push({ id: 'c-3', userName: 'carol@example.net', active: false });
  expect(await resolve({ names: ['carol@example.net'] })).toEqual([]);
});

test('an account is remembered for a minute, its absence for five seconds', async () => {
  const names = ['alice@example.net', 'dave@example.net'];
  const requested = () => auth.directory.requests.splice(0).length;
  await resolve({ names });
  expect(requested()).toBe(2);
  auth.clock.advance(4999);
  await resolve({ names });
  expect(requested()).toBe(0);
  auth.clock.advance(1);
  await resolve({ names });
  expect(requested()).toBe(1);
  auth.clock.advance(55_000);
  await resolve({ names });
  expect(requested()).toBe(2);
});

test('the same question at the same time is asked once', async () => {
  const answers = await Promise.all(Array.from({ length: 20 }, () => resolve({ names: ['alice@example.net'] })));
  expect(answers).toEqual(Array.from({ length: 20 }, () => [alice]));
  expect(auth.directory.requests).toHaveLength(1);
});

test.each(['hang', 'broken', 'html'] as const)('while the identity provider is unavailable (%s)', async (mode) => {
  await auth.stop();
  auth = await startAuth({}, { directoryTimeoutMs: 5_000 });
  await resolve({ ids: ['a-1'] });
  auth.clock.advance(60_000);
  auth.directory.mode = mode;
  expect(await resolve({ ids: ['a-1'] })).toEqual([alice]);
  const expected = ['unavailable', 'The identity provider does not respond'];
  expect(await refusal(resolve({ names: ['alice@example.net'] }))).toEqual(expected);
  expect(await refusal(resolve({ ids: ['b-2'] }))).toEqual(expected);
  auth.directory.mode = 'ok';
  expect(await resolve({ names: ['alice@example.net'] })).toEqual([alice]);
});

test('a new name of an account replaces the old one', async () => {
  const key = (await auth.apiKeys.createApiKey(ordinaryKey)).apiKey!;
  auth.directory.users[0]!.userName = 'alice.new@example.net';
  auth.clock.advance(60_000);
  expect(await resolve({ ids: ['a-1'] })).toEqual([{ id: 'a-1', name: 'alice.new@example.net' }]);
  const { apiKeys } = await auth.apiKeys.listApiKeys({ accountId: '', accountName: 'alice.new@example.net' });
  expect(apiKeys.map(({ id, accountName }) => [id, accountName])).toEqual([[key.id, 'alice.new@example.net']]);
});

test('more than 1,000 accounts at once are refused', async () => {
  const names = Array.from({ length: 1001 }, (_, n) => `user${n}@example.net`);
  expect(await refusal(resolve({ names }))).toEqual(['invalid', 'A call may name at most 1000 accounts']);
});

test('without an identity provider the accounts seen before are known', async () => {
  await resolve({ names: ['alice@example.net'] });
  const offline = await startAuth({ directoryUrl: undefined, databaseUrl: auth.databaseUrl });
  const { accounts } = await offline.accounts.resolveAccounts({
    names: ['alice@EXAMPLE.net', 'bob@example.net'],
    ids: ['a-1'],
  });
  await offline.stop();
  expect(accounts).toEqual([alice]);
});

test('all calls together send the identity provider at most 16 concurrent requests', async () => {
  const namesOf = (call: number) => Array.from({ length: 40 }, (_, n) => `user${call}.${n}@example.net`);
  await Promise.all(Array.from({ length: 6 }, (_, call) => resolve({ names: namesOf(call) })));
  expect(auth.directory.requests).toHaveLength(240);
  expect(auth.directory.maxAtOnce).toBeLessThanOrEqual(16);
});
