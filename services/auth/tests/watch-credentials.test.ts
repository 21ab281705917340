import type { WatchCredentialsResponse } from '@cadastre/proto/auth';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type AuthSystem, credentials, ordinaryKey, refusal, startAuth } from './auth-system.js';
import { makeCertificate } from './certificates.js';
import { clientId, type FakeIssuer, startFakeIssuer } from './fake-issuer.js';

const start = '2026-11-21T12:00:30Z';
const longWait = { timeout: 45_000 };
let issuer: FakeIssuer;
let auth: AuthSystem;
/** Another replica, with the same database. */
let other: AuthSystem;

beforeAll(async () => {
  issuer = await startFakeIssuer();
  const oidc = { oidcIssuer: issuer.url, oidcClientId: clientId, baseUrl: 'https://www.example.net' };
  auth = await startAuth(oidc);
  other = await startAuth({ databaseUrl: auth.databaseUrl });
});
afterAll(async () => {
  await other.stop();
  await auth.stop();
  await issuer.close();
});
beforeEach(() => auth.clock.set(start));

async function inDatabase(statement: string): Promise<void> {
  const client = new pg.Client(auth.databaseUrl);
  await client.connect();
  await client.query(statement);
  await client.end();
}

async function openSession(): Promise<string> {
  const { authorizationUrl, signInToken } = await auth.sessions.startSignIn({ returnPath: '' });
  const { searchParams } = new URL(authorizationUrl);
  const nonce = searchParams.get('nonce')!;
  issuer.idToken = { sub: 'a-1', email: 'alice@example.net', email_verified: true, nonce };
  const back = { state: searchParams.get('state')!, code: 'c0de', issuer: issuer.url, error: '' };
  return (await auth.sessions.finishSignIn({ signInToken, ...back })).session;
}

/** Watches a replica until `stop`; before, waits until the replica receives changes. */
async function watch(system: AuthSystem) {
  return vi.waitUntil(() => tryToWatch(system).catch(() => undefined), { ...longWait, interval: 100 });
}

/** Watches a replica until `stop`. Rejects when the replica does not receive changes. */
async function tryToWatch({ authentication }: AuthSystem) {
  const stopping = new AbortController();
  const heard: WatchCredentialsResponse[] = [];
  const ended = (async () => {
    const { signal } = stopping;
    const deadlineMs = Number.POSITIVE_INFINITY;
    for await (const message of authentication.watchCredentials({}, { signal, deadlineMs })) heard.push(message);
  })();
  ended.catch(() => {});
  await Promise.race([vi.waitUntil(() => heard.length > 0, longWait), ended]);
  return {
    heard,
    ended,
    accounts: () => heard.flatMap(({ accountIds }) => accountIds),
    stop: () => stopping.abort(),
  };
}

test.each<[string, () => Promise<unknown>]>([
  [
    'a key is revoked',
    async () => {
      const { apiKey } = await auth.apiKeys.createApiKey(ordinaryKey);
      await auth.apiKeys.revokeApiKey({ id: apiKey!.id, accountId: '', accountName: '' });
    },
  ],
  ['a session ends', async () => auth.sessions.endSession({ session: await openSession() })],
  ['the account becomes inactive', () => inDatabase(`update account set inactive = now() where id = 'a-1'`)],
  ['the account is renamed', () => inDatabase(`update account set name = name || 'x' where id = 'a-1'`)],
])('every replica announces the account when %s', async (_what, change) => {
  await auth.apiKeys.createApiKey(ordinaryKey);
  await inDatabase(`update account set inactive = null where id = 'a-1'`);
  const streams = await Promise.all([auth, other].map(watch));
  await change();
  for (const stream of streams) await vi.waitUntil(() => stream.accounts().includes('a-1'), longWait);
  for (const stream of streams) stream.stop();
});

/** Earlier announcements are in or before a later message. */
async function hearMore({ heard }: { readonly heard: readonly WatchCredentialsResponse[] }): Promise<void> {
  const before = heard.length;
  await vi.waitUntil(() => heard.length > before + 1, longWait);
}

test('nothing is announced when a key is used or an account is seen again', async () => {
  const { credential: basic } = await auth.apiKeys.createApiKey(ordinaryKey);
  // The account has its name again, which this stream may report.
  const earlier = await watch(other);
  await hearMore(earlier);
  earlier.stop();
  const stream = await watch(other);
  auth.clock.advance(60_000);
  await auth.authentication.authenticate(credentials({ basic }));
  await inDatabase(`update account set name = name, last_seen = now()`);
  await hearMore(stream);
  expect(stream.accounts()).toEqual([]);
  stream.stop();
});

test('the blocks are announced first, and after each change', async () => {
  const block = { prefix: '192.0.2.0/24', reason: 'harvesting', addedBy: 'olga', until: undefined };
  await auth.blocks.addBlock(block);
  const stream = await watch(other);
  const reported = () =>
    stream.heard.flatMap(({ blocks }) => (blocks ? [blocks.blocks.map(({ prefix }) => prefix)] : []));
  // Possibly once more, when this replica receives the change.
  expect(reported()[0]).toEqual(['192.0.2.0/24']);
  await auth.blocks.removeBlock({ prefix: block.prefix, removedBy: 'olga' });
  await expect.poll(() => reported().at(-1)).toEqual([]);
  stream.stop();
});

test('a stream ends when its replica no longer receives changes', async () => {
  const stream = await watch(auth);
  await inDatabase(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'cadastre auth changes' and datname = current_database()`,
  );
  expect(await refusal(stream.ended)).toEqual(['unavailable', 'Changes of credentials are not received']);
  const next = await watch(auth);
  next.stop();
});

test('an accepted credential may be cached until the minute of its use or it ends, a rejected one and a token never', async () => {
  const stored = async (given: Parameters<typeof credentials>[0]) =>
    (await auth.authentication.authenticate(credentials(given))).keepForMs;
  const { credential: basic } = await auth.apiKeys.createApiKey(ordinaryKey);
  expect(await stored({ basic })).toBe(30_000);
  expect(await stored({ session: await openSession() })).toBe(30_000);
  const { der } = makeCertificate('2026-11-01T00:00:00Z', '2026-11-21T12:00:40Z');
  expect(await stored({ certificate: der })).toBe(10_000);
  expect(await stored({ basic, certificate: der })).toBe(10_000);
  const brief = { ...ordinaryKey, expires: new Date('2026-11-21T12:00:50Z') };
  expect(await stored({ basic: (await auth.apiKeys.createApiKey(brief)).credential })).toBe(20_000);
  expect(await stored({ basic: 'd3Jvbmc=' })).toBeUndefined();
  expect(await stored({})).toBeUndefined();
});
