import { createHmac } from 'node:crypto';
import { AuthenticationOutcome } from '@cadastre/proto/auth';
import { CredentialKind } from '@cadastre/proto/registry';
import { keepSecret } from '@cadastre/service/testing';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AuthSystem, credentials, ordinaryKey, refusal, startAuth } from './auth-system.js';
import { clientId, type FakeIssuer, startFakeIssuer } from './fake-issuer.js';

const start = '2026-11-21T12:00:30Z';
const redirectUrl = 'https://www.example.net/session/callback';
const hourMs = 3_600_000;

let issuer: FakeIssuer;
let auth: AuthSystem;
const oidc = () => ({
  oidcIssuer: issuer.url,
  oidcClientId: clientId,
  baseUrl: 'https://www.example.net',
});
beforeAll(async () => {
  issuer = await startFakeIssuer();
  auth = await startAuth(oidc());
});
afterAll(async () => {
  await auth.stop();
  await issuer.close();
});
beforeEach(() => {
  auth.clock.set(start);
  issuer.mode = 'ok';
});

/**
 * Begins a sign-in, lets the identity provider identify the user, and returns the parameters of the browser's return.
 */
async function begin(reported: object = {}, returnPath = '') {
  const { authorizationUrl, signInToken } = await auth.sessions.startSignIn({ returnPath });
  const { searchParams } = new URL(authorizationUrl);
  keepSecret(signInToken, searchParams.get('state')!, searchParams.get('nonce')!);
  issuer.idToken = {
    sub: 'a-1',
    email: 'Alice@example.net',
    email_verified: true,
    nonce: searchParams.get('nonce')!,
    ...reported,
  };
  return { signInToken, state: searchParams.get('state')!, code: 'c0de', issuer: issuer.url, error: '' };
}

/** Number of rows in each table that a sign-in may write to. */
async function rowCounts(): Promise<unknown> {
  const client = new pg.Client(auth.databaseUrl);
  await client.connect();
  const tables = ['sign_in', 'session', 'account', 'account_check'];
  const { rows } = await client.query(tables.map((table) => `select count(*) from ${table}`).join(' union all '));
  await client.end();
  return rows;
}

const signIn = async (reported?: object) => auth.sessions.finishSignIn(await begin(reported));
const outcomeOf = async (session: string) => (await auth.authentication.authenticate(credentials({ session }))).outcome;
const { AUTHENTICATION_OUTCOME_AUTHENTICATED: good, AUTHENTICATION_OUTCOME_REJECTED: rejected } = AuthenticationOutcome;
const failed = ['unauthenticated', 'The sign-in failed or took too long: try again'];

describe('a sign-in', () => {
  test('sends the browser to the identity provider with state, nonce and PKCE', async () => {
    const { authorizationUrl, expires } = await auth.sessions.startSignIn({ returnPath: '' });
    const url = new URL(authorizationUrl);
    expect(url.origin + url.pathname).toBe(`${issuer.url}/authorize`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      client_id: clientId,
      redirect_uri: redirectUrl,
      response_type: 'code',
      scope: 'openid email',
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    });
    expect(expires).toEqual(new Date('2026-11-21T12:10:30Z'));
  });

  test('opens a session for the account, and returns to the path where it began', async () => {
    const back = await begin({}, '/search?q=192.0.2.0');
    const { session, account, expires, returnPath } = await auth.sessions.finishSignIn(back);
    expect(account).toEqual({ id: 'a-1', name: 'Alice@example.net' });
    expect(expires).toEqual(new Date('2026-11-22T00:00:30Z'));
    expect(returnPath).toBe('/search?q=192.0.2.0');
    const { outcome, principal } = await auth.authentication.authenticate(credentials({ session }));
    expect(outcome).toBe(good);
    expect(principal).toMatchObject({
      credentials: [CredentialKind.CREDENTIAL_KIND_SESSION],
      accountId: 'a-1',
      accountName: 'Alice@example.net',
    });
  });

  test('proves to the token endpoint that it was begun here', async () => {
    await signIn();
    const sent = issuer.exchanges.at(-1)!;
    expect(sent.get('code')).toBe('c0de');
    expect(sent.get('code_verifier')).toMatch(/^[\w-]{43}$/);
    expect(sent.get('redirect_uri')).toBe(redirectUrl);
  });

  test('stores nothing until the identity provider has identified the user', async () => {
    const before = await rowCounts();
    for (let n = 0; n < 20; n++) await begin({}, `/${'x'.repeat(1999)}`);
    issuer.mode = 'refuse';
    expect(await refusal(auth.sessions.finishSignIn(await begin()))).toEqual(failed);
    expect(await rowCounts()).toEqual(before);
  });

  test('can be finished by any replica', async () => {
    const other = await startAuth({ databaseUrl: auth.databaseUrl, ...oidc() });
    const back = await begin({}, '/search');
    expect((await other.sessions.finishSignIn(back)).returnPath).toBe('/search');
    expect(await refusal(auth.sessions.finishSignIn(back))).toEqual(failed);
    await other.stop();
  });

  test.each<[string, (end: Date) => [Date, string]]>([
    ['a later end', (end) => [new Date(end.getTime() + 1000), '/']],
    ['another return path', (end) => [end, '/elsewhere']],
  ])('fails with a cookie that was changed to %s', async (_, change) => {
    const back = await begin({}, '/');
    const bytes = Buffer.from(back.signInToken, 'base64url');
    const [end, path] = change(new Date(bytes.readUIntBE(32, 6)));
    bytes.writeUIntBE(end.getTime(), 32, 6);
    const signInToken = Buffer.concat([bytes.subarray(0, 38), Buffer.from(path)]).toString('base64url');
    expect(await refusal(auth.sessions.finishSignIn({ ...back, signInToken }))).toEqual(failed);
    const state = createHmac('sha256', signInToken).update('state').digest('base64url');
    expect(await refusal(auth.sessions.finishSignIn({ ...back, signInToken, state }))).toEqual(failed);
  });

  test('is refused while sixteen others wait for the identity provider', async () => {
    const slow = await startAuth({ databaseUrl: auth.databaseUrl, ...oidc() }, { oidcTimeoutMs: 60_000 });
    await slow.sessions.startSignIn({ returnPath: '' });
    const [late, ...backs] = await Promise.all(Array.from({ length: 17 }, () => begin()));
    issuer.mode = 'hang';
    issuer.exchanges.splice(0);
    const waiting = backs.map((back) => refusal(slow.sessions.finishSignIn(back)));
    await expect.poll(() => issuer.exchanges).toHaveLength(16);
    const busy = ['unavailable', 'Too many concurrent sign-ins: try again later'];
    expect(await refusal(slow.sessions.finishSignIn(late!))).toEqual(busy);
    issuer.mode = 'ok';
    issuer.hangUp();
    await Promise.all(waiting);
    expect((await slow.sessions.finishSignIn(await begin())).session).not.toBe('');
    await slow.stop();
  });

  test('is good for one try', async () => {
    const back = await begin();
    await auth.sessions.finishSignIn(back);
    expect(await refusal(auth.sessions.finishSignIn(back))).toEqual(failed);
  });

  test('ends after ten minutes', async () => {
    const back = await begin();
    auth.clock.advance(600_000);
    expect(await refusal(auth.sessions.finishSignIn(back))).toEqual(failed);
  });

  test("is not used up by somebody else's answer", async () => {
    const back = await begin();
    expect(await refusal(auth.sessions.finishSignIn({ ...back, state: 'x'.repeat(43) }))).toEqual(failed);
    expect((await auth.sessions.finishSignIn(back)).session).not.toBe('');
  });

  test.each([
    ['without its cookie', { signInToken: '' }],
    ['with the cookie of no sign-in', { signInToken: 'x'.repeat(43) }],
    ['without a code', { code: '' }],
    ['with an error', { error: 'access_denied' }],
    ['with an answer of another issuer', { issuer: 'https://other.example.net' }],
    ['with an answer of no issuer', { issuer: '' }],
  ])('fails %s', async (_, change) => {
    const back = await begin();
    expect(await refusal(auth.sessions.finishSignIn({ ...back, ...change }))).toEqual(failed);
  });

  test.each<[string, object]>([
    ['another nonce', { nonce: 'other' }],
    ['another audience', { aud: 'other-client' }],
    ['another issuer', { iss: 'https://other.example.net' }],
    ['an end in the past', { exp: 1_000_000_000 }],
    ['an address that is not verified', { email_verified: false }],
    ['an address of which it does not say whether it is verified', { email_verified: undefined }],
    ['no name but a list', { email: ['alice@example.net'] }],
    ['an endless subject', { sub: 'x'.repeat(256) }],
  ])('fails when the identity token has %s', async (_, reported) => {
    expect(await refusal(signIn(reported))).toEqual(failed);
  });

  test('fails when the identity provider refuses the code', async () => {
    const back = await begin();
    issuer.mode = 'refuse';
    expect(await refusal(auth.sessions.finishSignIn(back))).toEqual(failed);
  });

  test.each(['//example.net', '/\\example.net', 'https://example.net', 'x', '/a b', '/\n', `/${'x'.repeat(2000)}`])(
    'goes back to no other place (%#)',
    async (returnPath) => {
      expect((await refusal(auth.sessions.startSignIn({ returnPath })))[0]).toBe('invalid');
    },
  );
});

describe('a session', () => {
  test('ends when it is not used for an hour', async () => {
    const { session } = await signIn();
    auth.clock.advance(hourMs - 31_000);
    expect(await outcomeOf(session)).toBe(good);
    auth.clock.advance(hourMs - 60_000);
    expect(await outcomeOf(session)).toBe(good);
    auth.clock.advance(hourMs);
    expect(await outcomeOf(session)).toBe(rejected);
  });

  test('ends after twelve hours, however much it is used', async () => {
    const { session } = await signIn();
    for (let use = 0; use < 23; use++) {
      auth.clock.advance(hourMs / 2);
      expect(await outcomeOf(session)).toBe(good);
    }
    auth.clock.advance(hourMs / 2);
    expect(await outcomeOf(session)).toBe(rejected);
  });

  test('is one of a hundred of the account: the one that was not used for the longest time makes room', {
    timeout: 400_000,
  }, async () => {
    const who = { sub: 'many-1', email: 'many@example.net' };
    const first = await signIn(who);
    auth.clock.advance(60_000);
    const second = await signIn(who);
    auth.clock.advance(60_000);
    expect(await outcomeOf(first.session)).toBe(good);
    for (let n = 2; n < 101; n++) await signIn(who);
    expect(await outcomeOf(second.session)).toBe(rejected);
    expect(await outcomeOf(first.session)).toBe(good);
  });

  test('has an account and an end', async () => {
    const { session } = await signIn();
    auth.clock.advance(60_000);
    expect(await auth.sessions.getSession({ session })).toEqual({
      account: { id: 'a-1', name: 'Alice@example.net' },
      created: new Date(start),
      expires: new Date('2026-11-22T00:00:30Z'),
      idleExpires: new Date('2026-11-21T13:01:00Z'),
    });
  });

  test('of an account whose name has passed to another has that name no longer', async () => {
    const old = await signIn({ sub: 'grace-1', email: 'grace@example.net' });
    const fresh = await signIn({ sub: 'grace-2', email: 'Grace@example.net' });
    const nameOf = async (session: string) =>
      (await auth.authentication.authenticate(credentials({ session }))).principal?.accountName;
    expect([await nameOf(old.session), await nameOf(fresh.session)]).toEqual(['', 'Grace@example.net']);
    const again = await signIn({ sub: 'grace-1', email: 'grace.old@example.net' });
    expect([await nameOf(old.session), await nameOf(again.session)]).toEqual(Array(2).fill('grace.old@example.net'));
  });

  test('ends permanently when it is revoked; another session of the account continues', async () => {
    const [one, other] = [await signIn(), await signIn()];
    const { signOutUrl } = await auth.sessions.endSession({ session: one.session });
    const home = encodeURIComponent('https://www.example.net/');
    expect(signOutUrl).toBe(`${issuer.url}/logout?post_logout_redirect_uri=${home}&client_id=${clientId}`);
    await auth.sessions.endSession({ session: one.session });
    expect(await outcomeOf(one.session)).toBe(rejected);
    expect(await auth.sessions.getSession({ session: one.session })).toEqual({});
    expect(await outcomeOf(other.session)).toBe(good);
  });

  test.each(['x', 'x'.repeat(43), '\0', 'A'.repeat(2 ** 20)])(
    'is not opened by a made-up value (%#)',
    async (session) => {
      expect(await outcomeOf(session)).toBe(rejected);
    },
  );

  test('is stored without its value', async () => {
    const { session } = await signIn();
    const { signInToken, state } = await begin();
    const client = new pg.Client(auth.databaseUrl);
    await client.connect();
    const { rows } = await client.query('select s::text as row from session s union all select i::text from sign_in i');
    await client.end();
    const stored = rows.map(({ row }) => row as string).join('\n');
    const hex = (text: string) => Buffer.from(text, 'base64url').toString('hex');
    for (const secret of [session, signInToken, state]) {
      expect(stored).not.toContain(secret);
      expect(stored).not.toContain(hex(secret));
    }
  });

  test('beside a limited API key is limited like it', async () => {
    const { credential: basic } = await auth.apiKeys.createApiKey({ ...ordinaryKey, maintainer: 'EXAMPLE-MNT' });
    const { session } = await signIn();
    const { principal } = await auth.authentication.authenticate(credentials({ basic, session }));
    expect(principal?.maintainers).toEqual(['EXAMPLE-MNT']);
  });

  test('of another account spoils an API key, one of the same does not', async () => {
    const { credential: basic } = await auth.apiKeys.createApiKey(ordinaryKey);
    const { session: own } = await signIn();
    const { session: other } = await signIn({ sub: 'b-2', email: 'bob@example.net' });
    const both = await auth.authentication.authenticate(credentials({ basic, session: own }));
    expect(both.principal?.credentials).toEqual([
      CredentialKind.CREDENTIAL_KIND_API_KEY,
      CredentialKind.CREDENTIAL_KIND_SESSION,
    ]);
    const mixed = await auth.authentication.authenticate(credentials({ basic, session: other }));
    expect(mixed.outcome).toBe(rejected);
    expect(mixed.messages.map(({ text }) => text)).toEqual(['The credentials belong to different accounts']);
  });
});

describe.each(['hang', 'broken'] as const)('while the identity provider is unavailable (%s)', (mode) => {
  const away = ['unavailable', 'The identity provider does not respond'];

  test('sign-in says so, and sessions continue', async () => {
    const { session } = await signIn();
    const other = await startAuth({ databaseUrl: auth.databaseUrl, ...oidc() }, { oidcTimeoutMs: 5_000 });
    await other.sessions.startSignIn({ returnPath: '' });
    const back = await begin();
    issuer.mode = mode;
    expect(await refusal(other.sessions.finishSignIn(back))).toEqual(away);
    expect(await outcomeOf(session)).toBe(good);
    await other.stop();
  });

  test('a service that never reached it begins no sign-in, and does when it is back', async () => {
    const fresh = await startAuth({ databaseUrl: auth.databaseUrl, ...oidc() }, { oidcTimeoutMs: 5_000 });
    issuer.mode = mode;
    expect(await refusal(fresh.sessions.startSignIn({ returnPath: '' }))).toEqual(away);
    issuer.mode = 'ok';
    expect((await fresh.sessions.startSignIn({ returnPath: '' })).authorizationUrl).toContain(issuer.url);
    await fresh.stop();
  });
});

test('without an identity provider there is no sign-in', async () => {
  const alone = await startAuth({ databaseUrl: auth.databaseUrl });
  expect(await refusal(alone.sessions.startSignIn({ returnPath: '' }))).toEqual([
    'unimplemented',
    'Sign-in is not available here',
  ]);
  await alone.stop();
});

test('in production, an identity provider without TLS is not spoken to', async () => {
  const strict = await startAuth({ databaseUrl: auth.databaseUrl, environment: 'production', ...oidc() });
  expect((await refusal(strict.sessions.startSignIn({ returnPath: '' })))[0]).toBe('unavailable');
  await strict.stop();
});
