import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AuthSystem, credentials, ordinaryKey, refusal, startAuth } from './auth-system.js';

let auth: AuthSystem;
let creating: AuthSystem;
beforeAll(async () => {
  auth = await startAuth();
  creating = await startAuth({ directoryCreatesAccounts: true });
});
afterAll(async () => {
  await auth.stop();
  await creating.stop();
});
beforeEach(() => auth.clock.set('2026-11-21T12:00:30Z'));

const create = (more: Partial<typeof ordinaryKey> = {}) => auth.apiKeys.createApiKey({ ...ordinaryKey, ...more });
const keysOf = async (accountName: string) => (await auth.apiKeys.listApiKeys({ accountId: '', accountName })).apiKeys;

test('a key expires after one year by default', async () => {
  const { apiKey, credential } = await create({ maintainer: 'example-mnt' });
  expect(apiKey).toEqual({
    id: expect.stringMatching(/^[A-Za-z0-9]{24}$/),
    name: 'laptop',
    accountName: 'Alice@example.net',
    created: new Date('2026-11-21T12:00:30Z'),
    expires: new Date('2027-11-21T12:00:30Z'),
    revoked: undefined,
    lastUsed: undefined,
    maintainer: 'EXAMPLE-MNT',
  });
  expect(Buffer.from(credential, 'base64').toString().split(':')[0]).toBe(apiKey!.id);
});

test('the secret is stored nowhere', async () => {
  const { credential } = await create();
  const secret = Buffer.from(credential, 'base64').toString().split(':')[1]!;
  const client = new pg.Client(auth.databaseUrl);
  await client.connect();
  const { rows } = await client.query('select * from api_key, account');
  await client.end();
  const stored = JSON.stringify(rows, (_, value) => (value?.type === 'Buffer' ? Buffer.from(value).toString() : value));
  expect(rows.length).toBeGreaterThan(0);
  expect(stored).not.toContain(secret);
  expect(stored).not.toContain(credential);
});

test('all errors of a request are reported together', async () => {
  const request = {
    accountId: '',
    accountName: 'no name',
    name: '',
    expires: new Date('2028-01-01'),
    maintainer: 'ÄÖ',
  };
  expect(await refusal(create(request))).toEqual([
    'invalid',
    'The name of an account must be an e-mail address',
    'The name of an API key must have 1 to 80 printable characters',
    'An API key must end in the future and within one year',
    '"ÄÖ" is not the name of a maintainer',
  ]);
});

test.each<[string, Partial<typeof ordinaryKey>]>([
  ['a name of 81 characters', { name: 'x'.repeat(81) }],
  ['a NUL in the name', { name: 'a\0b' }],
  ['a NUL in the account', { accountName: 'a\0@example.net' }],
  ['an expiry in the past', { expires: new Date('2026-11-21T12:00:30Z') }],
  ['an expiry a moment too late', { expires: new Date('2027-11-21T12:00:31Z') }],
])('%s is refused', async (_, request) => {
  expect((await refusal(create(request)))[0]).toBe('invalid');
});

test('a key for an unknown account is refused, also when its account shall be made but may not', async () => {
  const accountName = 'nobody@example.net';
  const expected = ['not-found', 'There is no account "nobody@example.net"'];
  expect(await refusal(create({ accountName }))).toEqual(expected);
  expect(await refusal(create({ accountName, createAccount: true }))).toEqual(expected);
});

test('an account is made at the identity provider where that is allowed, once', async () => {
  const request = { ...ordinaryKey, accountName: 'dave@example.net', createAccount: true };
  await creating.apiKeys.createApiKey(request);
  await creating.apiKeys.createApiKey(request);
  expect(creating.directory.users.filter((user) => user.userName === 'dave@example.net')).toHaveLength(1);
});

test('a name that the identity provider does not accept is refused', async () => {
  const request = { ...ordinaryKey, accountName: 'dave', createAccount: true };
  const expected = ['invalid', 'The identity provider accepts no account "dave"'];
  expect(await refusal(creating.apiKeys.createApiKey(request))).toEqual(expected);
});

test('without an identity provider an account is made here where that is allowed, once, and its key is good', async () => {
  const alone = await startAuth({ directoryUrl: undefined, directoryCreatesAccounts: true });
  try {
    const request = { ...ordinaryKey, accountName: 'erin@example.net', createAccount: true };
    const { credential, apiKey } = await alone.apiKeys.createApiKey(request);
    await alone.apiKeys.createApiKey({ ...request, accountName: 'ERIN@example.net' });
    expect((await alone.apiKeys.listApiKeys({ accountId: '', accountName: 'erin@example.net' })).apiKeys).toHaveLength(
      2,
    );
    expect((await alone.authentication.authenticate(credentials({ basic: credential }))).principal).toMatchObject({
      accountName: apiKey!.accountName,
    });
  } finally {
    await alone.stop();
  }
});

test('an account has at most 100 usable keys, also when they are made at the same time', async () => {
  const mine = { accountName: 'bob@example.net' };
  const made = await Promise.allSettled(Array.from({ length: 105 }, () => create(mine)));
  expect(made.filter((one) => one.status === 'fulfilled')).toHaveLength(100);
  expect(await refusal(create(mine))).toEqual(['exhausted', 'An account may have at most 100 API keys']);
  const [first] = await keysOf('bob@example.net');
  await auth.apiKeys.revokeApiKey({ id: first!.id, accountId: '', accountName: '' });
  await create(mine);
});

test('keys are listed newest first, revoked ones included', async () => {
  auth.clock.set('2026-11-22T12:00:00Z');
  const older = (await create({ name: 'older' })).apiKey!;
  auth.clock.advance(1000);
  const newer = (await create({ name: 'newer' })).apiKey!;
  await auth.apiKeys.revokeApiKey({ id: older.id, accountId: '', accountName: '' });
  const [first, second] = await keysOf('ALICE@example.net');
  expect([first?.id, second?.id]).toEqual([newer.id, older.id]);
  expect(second?.revoked).toEqual(new Date('2026-11-22T12:00:01Z'));
});

test.each(['nobody@example.net', 'no name', 'a\0b'])('the keys of %j are not found', async (accountName) => {
  expect((await refusal(keysOf(accountName)))[0]).toBe('not-found');
});

test('keys can be listed while the identity provider is unavailable', async () => {
  await create();
  auth.clock.advance(120_000);
  auth.directory.mode = 'broken';
  expect((await keysOf('alice@example.net')).length).toBeGreaterThan(0);
  auth.directory.mode = 'ok';
});

test('revoking again keeps the first time', async () => {
  const { id } = (await create()).apiKey!;
  await auth.apiKeys.revokeApiKey({ id, accountId: '', accountName: '' });
  auth.clock.advance(60_000);
  const { apiKey } = await auth.apiKeys.revokeApiKey({ id, accountId: '', accountName: 'alice@EXAMPLE.net' });
  expect(apiKey?.revoked).toEqual(new Date('2026-11-21T12:00:30Z'));
});

test('revoking one key leaves the others', async () => {
  const [one, other] = [(await create()).apiKey!, (await create()).apiKey!];
  await auth.apiKeys.revokeApiKey({ id: one.id, accountId: '', accountName: '' });
  const stored = (await keysOf('alice@example.net')).find((key) => key.id === other.id);
  expect(stored?.revoked).toBeUndefined();
});

test.each([
  ['an unknown key', { id: 'x'.repeat(24), accountId: '', accountName: '' }],
  ['what is no key', { id: "'; drop table api_key; --", accountId: '', accountName: '' }],
  ['a NUL', { id: '\0', accountId: '', accountName: '' }],
])('revoking %s is not found', async (_, request) => {
  expect((await refusal(auth.apiKeys.revokeApiKey(request)))[0]).toBe('not-found');
});

test("revoking in the name of an account finds only that account's keys", async () => {
  const { id } = (await create()).apiKey!;
  const refused = await refusal(auth.apiKeys.revokeApiKey({ id, accountId: '', accountName: 'bob@example.net' }));
  expect(refused[0]).toBe('not-found');
});

describe('after a name has passed to another account', () => {
  const name = 'frank@example.net';
  const old = { accountId: 'old-1', accountName: name };
  const fresh = { accountId: 'new-2', accountName: name };
  let oldKey: string;
  let freshKey: string;

  beforeAll(async () => {
    auth.clock.set('2026-11-21T12:00:30Z');
    auth.directory.users.push({ id: 'old-1', userName: name });
    oldKey = (await create({ accountName: name })).apiKey!.id;
    // No time passes: a cached answer would have the old account.
    auth.directory.users.find(({ id }) => id === 'old-1')!.userName = 'frank.old@example.net';
    auth.directory.users.push({ id: 'new-2', userName: name });
    freshKey = (await create({ accountName: name })).apiKey!.id;
  });

  const idsOf = async (account: { accountId: string; accountName: string }) =>
    (await auth.apiKeys.listApiKeys(account)).apiKeys.map(({ id }) => id);

  test('a subject means its own keys, whatever name is remembered with it', async () => {
    expect([await idsOf(old), await idsOf(fresh)]).toEqual([[oldKey], [freshKey]]);
    const made = (await create(old)).apiKey!;
    expect(made.accountName).toBe('frank.old@example.net');
    expect(await idsOf(fresh)).toEqual([freshKey]);
    expect((await refusal(auth.apiKeys.revokeApiKey({ id: freshKey, ...old })))[0]).toBe('not-found');
    expect((await auth.apiKeys.revokeApiKey({ id: made.id, ...old })).apiKey?.revoked).toBeDefined();
  });

  test('the name alone means the account that has it now', async () => {
    const named = { accountId: '', accountName: name };
    expect(await idsOf(named)).toEqual([freshKey]);
    expect((await refusal(auth.apiKeys.revokeApiKey({ id: oldKey, ...named })))[0]).toBe('not-found');
    expect((await auth.apiKeys.revokeApiKey({ id: freshKey, ...named })).apiKey?.id).toBe(freshKey);
  });

  test('an unknown or impossible subject is refused', async () => {
    const nobody = { accountId: 'nobody', accountName: name };
    expect((await refusal(create(nobody)))[0]).toBe('not-found');
    expect((await refusal(idsOf(nobody)))[0]).toBe('not-found');
    expect((await refusal(create({ accountId: 'a\0b' })))[0]).toBe('invalid');
    expect((await refusal(idsOf({ accountId: 'a\0b', accountName: '' })))[0]).toBe('not-found');
  });
});
