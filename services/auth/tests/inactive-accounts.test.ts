import { AuthenticationOutcome } from '@cadastre/proto/auth';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type AuthSystem, credentials, ordinaryKey, startAuth } from './auth-system.js';
import { audience, clientId, type FakeIssuer, startFakeIssuer } from './fake-issuer.js';

const start = '2026-11-21T12:00:30Z';
const seconds = (time: string) => Date.parse(time) / 1000;
const delayMs = 15 * 60_000;
const { AUTHENTICATION_OUTCOME_AUTHENTICATED: good, AUTHENTICATION_OUTCOME_REJECTED: rejected } = AuthenticationOutcome;

let issuer: FakeIssuer;
let auth: AuthSystem;
let basic: string;

beforeEach(async () => {
  issuer = await startFakeIssuer();
  const oidc = { oidcIssuer: issuer.url, oidcClientId: clientId, baseUrl: 'https://www.example.net' };
  auth = await startAuth({ ...oidc, oidcAudience: audience }, { directoryTimeoutMs: 5_000, checkRoundMs: 20 });
  basic = (await auth.apiKeys.createApiKey(ordinaryKey)).credential;
});
afterEach(async () => {
  await auth.stop();
  await issuer.close();
});

const outcomeOf = async (given: Parameters<typeof credentials>[0]) =>
  (await auth.authentication.authenticate(credentials(given))).outcome;

async function openSession(): Promise<string> {
  const { authorizationUrl, signInToken } = await auth.sessions.startSignIn({ returnPath: '' });
  const { searchParams } = new URL(authorizationUrl);
  const nonce = searchParams.get('nonce')!;
  issuer.idToken = { sub: 'a-1', email: 'alice@example.net', email_verified: true, nonce };
  const back = { state: searchParams.get('state')!, code: 'c0de', issuer: issuer.url, error: '' };
  return (await auth.sessions.finishSignIn({ signInToken, ...back })).session;
}

/** The requests about single accounts to the identity provider since the last call. */
const checks = () => auth.directory.requests.splice(0).filter((request) => request.includes(' id eq '));

/** Waits until another round of checks has ended. */
const checked = (ask = 'GET /scim/v2/Users id eq "a-1"') => expect.poll(() => auth.directory.requests).toContain(ask);

describe.each<[string, () => void, () => void]>([
  [
    'inactive',
    () => Object.assign(auth.directory.users[0]!, { active: false }),
    () => Object.assign(auth.directory.users[0]!, { active: true }),
  ],
  [
    'gone',
    () => void auth.directory.users.shift(),
    () => void auth.directory.users.unshift({ id: 'a-1', userName: 'Alice@example.net' }),
  ],
])('an account that is %s', (_, end, begin) => {
  test('has no good key, session or token after fifteen minutes, and has them again when it is back', async () => {
    const session = await openSession();
    const bearerToken = await issuer.sign({ iat: seconds(start), exp: seconds(start) + 7200 });
    const all = () => Promise.all([{ basic }, { session }, { bearerToken }].map(outcomeOf));
    end();
    expect(await all()).toEqual([good, good, good]);
    auth.clock.advance(delayMs);
    await expect.poll(() => all()).toEqual([rejected, rejected, rejected]);
    expect(await auth.sessions.getSession({ session })).toEqual({});
    begin();
    auth.clock.advance(delayMs);
    await expect.poll(() => all()).toEqual([good, good, good]);
  });

  test('is active again as soon as it has signed in', async () => {
    end();
    auth.clock.advance(delayMs);
    await expect.poll(() => outcomeOf({ basic })).toBe(rejected);
    const session = await openSession();
    expect([await outcomeOf({ basic }), await outcomeOf({ session })]).toEqual([good, good]);
  });
});

test.each(['hang', 'broken', 'html', 'other'] as const)(
  'an identity provider that is away (%s) changes nothing until it answers again',
  async (mode) => {
    auth.directory.mode = mode;
    auth.directory.users.shift();
    auth.clock.advance(delayMs);
    await checked();
    auth.directory.requests.splice(0);
    auth.clock.advance(60_000);
    await checked();
    expect(await outcomeOf({ basic })).toBe(good);
    auth.directory.mode = 'ok';
    auth.clock.advance(60_000);
    await expect.poll(() => outcomeOf({ basic })).toBe(rejected);
  },
);

describe('the identity provider gets a request', () => {
  test('once in fifteen minutes about an account, by all replicas together', async () => {
    const other = await startAuth(
      { databaseUrl: auth.databaseUrl, directoryUrl: auth.directory.url },
      { checkRoundMs: 20 },
    );
    const advance = (ms: number) => [auth, other].map(({ clock }) => clock.advance(ms));
    advance(60_000);
    await auth.apiKeys.createApiKey({ ...ordinaryKey, accountName: 'bob@example.net' });
    const scheduled = (id: string) =>
      expect.poll(() => countIn(auth, `account_check where account_id = '${id}' and due > '${due}'`)).toBe(1);
    const due = '2026-11-21T12:20:00Z';
    advance(delayMs - 60_000);
    await scheduled('a-1');
    advance(60_000);
    await scheduled('b-2');
    await other.stop();
    expect(checks()).toEqual(['GET /scim/v2/Users id eq "a-1"', 'GET /scim/v2/Users id eq "b-2"']);
  });

  test('about no account without a key or session that can be used', async () => {
    const { apiKeys } = await auth.apiKeys.listApiKeys({ accountId: 'a-1', accountName: '' });
    await auth.apiKeys.revokeApiKey({ id: apiKeys[0]!.id, accountId: '', accountName: '' });
    const expires = new Date('2026-11-21T12:10:00Z');
    await auth.apiKeys.createApiKey({ ...ordinaryKey, accountName: 'bob@example.net', expires });
    auth.clock.advance(delayMs);
    await expect.poll(() => countIn(auth, 'account_check')).toBe(0);
    expect(checks()).toEqual([]);
    await auth.apiKeys.createApiKey(ordinaryKey);
    expect(await countIn(auth, 'account_check')).toBe(1);
  });

  test('about fifty accounts a round, those first that have waited longest, and about four at the same time', async () => {
    const idle = await startAuth({ directoryUrl: undefined });
    const count = (what: string) => countIn(idle, what);
    await withDatabase(idle, (client) => client.query(manyAccounts));
    const once = await startAuth({ databaseUrl: idle.databaseUrl }, { checkRoundMs: 3_600_000 });
    await expect.poll(() => once.directory.requests).toHaveLength(50);
    await expect.poll(() => count('account where inactive is not null')).toBe(50);
    expect(await count("account_check where due <= '2026-11-21T12:00:30Z'")).toBe(100);
    expect(await count("account where inactive is not null and name >= 'x150'")).toBe(0);
    expect(once.directory.maxAtOnce).toBeLessThanOrEqual(4);
    await once.stop();
    await idle.stop();
  });
});

/** 150 accounts with a key each, whose checks are due one after the other since an hour ago. */
const manyAccounts = `
  with number as (select n, timestamptz '2026-11-21T10:00:00Z' + n * interval '1 second' as made from generate_series(100, 249) n),
  made as (insert into account (id, name, first_seen, last_seen)
    select 'x-' || n, 'x' || n || '@example.net', made, made from number returning id, first_seen)
  insert into api_key (id, account_id, name, hash, created, expires)
    select rpad(replace(id, '-', ''), 24, 'x'), id, 'k', sha256(id::bytea), first_seen, '2027-11-21' from made`;

async function withDatabase<T>({ databaseUrl }: AuthSystem, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  return work(client).finally(() => client.end());
}

const countIn = (system: AuthSystem, what: string) =>
  withDatabase(system, async (client) => Number((await client.query(`select count(*) as n from ${what}`)).rows[0].n));
