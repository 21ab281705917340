import { AuthenticationOutcome } from '@cadastre/proto/auth';
import { CredentialKind } from '@cadastre/proto/registry';
import { base64url, generateKeyPair } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AuthSystem, credentials, refusal, startAuth } from './auth-system.js';
import { audience, clientId, type FakeIssuer, startFakeIssuer } from './fake-issuer.js';

let issuer: FakeIssuer;
let auth: AuthSystem;
beforeAll(async () => {
  issuer = await startFakeIssuer();
  auth = await startAuth({ oidcIssuer: issuer.url, oidcAudience: audience });
});
afterAll(async () => {
  await auth.stop();
  await issuer.close();
});
beforeEach(() => auth.clock.set(new Date()));

const authenticate = (bearerToken: string) => auth.authentication.authenticate(credentials({ bearerToken }));
const { AUTHENTICATION_OUTCOME_REJECTED: rejected } = AuthenticationOutcome;
/** By the clock of the service, which stands still: a busy machine signs later. */
const seconds = () => Math.floor(auth.clock.now().getTime() / 1000);

test('a good token identifies the account', async () => {
  const { outcome, principal } = await authenticate(await issuer.sign({}));
  expect(outcome).toBe(AuthenticationOutcome.AUTHENTICATION_OUTCOME_AUTHENTICATED);
  expect(principal).toMatchObject({
    credentials: [CredentialKind.CREDENTIAL_KIND_BEARER_TOKEN],
    accountId: 'a-1',
    accountName: 'Alice@example.net',
  });
});

test('a token for several audiences is good when ours is among them', async () => {
  const { principal } = await authenticate(await issuer.sign({ aud: ['https://other.example.net', audience] }));
  expect(principal?.accountId).toBe('a-1');
});

test.each<[string, () => Promise<string>]>([
  ['no token', async () => 'x'],
  ['a NUL', async () => '\0'],
  ['a megabyte', async () => 'a'.repeat(2 ** 20)],
  ['three parts of nothing', async () => 'a.b.c'],
  ['for another audience', () => issuer.sign({ aud: 'https://other.example.net' })],
  ['for the web application (an identity token)', () => issuer.sign({ aud: clientId })],
  ['without audience', () => issuer.sign({ aud: undefined })],
  ['of another issuer', () => issuer.sign({ iss: 'https://other.example.net' })],
  ['that ended', () => issuer.sign({ exp: seconds() - 61 })],
  ['that never ends', () => issuer.sign({ exp: undefined })],
  ['that does not tell when it was made', () => issuer.sign({ iat: undefined })],
  ['made tomorrow', () => issuer.sign({ iat: seconds() + 86_400, exp: seconds() + 90_000 })],
  ['valid from tomorrow', () => issuer.sign({ nbf: seconds() + 86_400 })],
  ['without subject', () => issuer.sign({ sub: undefined })],
  ['of an account that nobody knows', () => issuer.sign({ sub: 'nobody' })],
  ['signed by another key', async () => issuer.sign({}, { key: (await generateKeyPair('RS256')).privateKey })],
  ['signed by an unknown key', async () => issuer.sign({}, { kid: 'key-2' })],
  ['signed with a shared secret', () => issuer.sign({}, { key: new Uint8Array(32), alg: 'HS256' })],
  [
    'that is not signed',
    async () => {
      const [, payload] = (await issuer.sign({})).split('.');
      return `${base64url.encode('{"alg":"none"}')}.${payload}.`;
    },
  ],
  [
    'whose claims were changed',
    async () => {
      const [header, , signature] = (await issuer.sign({})).split('.');
      const [, payload] = (await issuer.sign({ sub: 'b-2' })).split('.');
      return `${header}.${payload}.${signature}`;
    },
  ],
])('rejected is a token %s', async (_, token) => {
  const { outcome, principal, messages } = await authenticate(await token());
  expect(outcome).toBe(rejected);
  expect(principal).toBeUndefined();
  expect(messages.map(({ text }) => text)).toEqual(['The credential is wrong, expired or revoked']);
});

test('a token ends by the clock of the service', async () => {
  const token = await issuer.sign({ iat: seconds(), exp: seconds() + 300 });
  auth.clock.advance(361_000);
  expect((await authenticate(token)).outcome).toBe(rejected);
});

test('without an audience no token is good', async () => {
  const other = await startAuth({ databaseUrl: auth.databaseUrl, oidcIssuer: issuer.url });
  const bearerToken = await issuer.sign({});
  const { outcome } = await other.authentication.authenticate(credentials({ bearerToken }));
  await other.stop();
  expect(outcome).toBe(rejected);
});

test.each<[string, unknown, boolean]>([
  ['among others', 'openid cadastre.write email', true],
  ['missing', undefined, false],
  ['as a part of another', 'cadastre.write.not', false],
  ['not as a text', ['cadastre.write'], false],
])('where a scope is required: %s', async (_, scope, good) => {
  const options = { databaseUrl: auth.databaseUrl, oidcIssuer: issuer.url, oidcAudience: audience };
  const strict = await startAuth({ ...options, oidcRequiredScope: 'cadastre.write' });
  strict.clock.set(new Date());
  const bearerToken = await issuer.sign({ scope });
  const { outcome } = await strict.authentication.authenticate(credentials({ bearerToken }));
  await strict.stop();
  expect(outcome).toBe(good ? AuthenticationOutcome.AUTHENTICATION_OUTCOME_AUTHENTICATED : rejected);
});

test('while the identity provider is unavailable, tokens work only where its keys are known', async () => {
  const token = await issuer.sign({});
  await authenticate(token);
  const options = { databaseUrl: auth.databaseUrl, oidcIssuer: issuer.url, oidcAudience: audience };
  const fresh = await startAuth(options);
  fresh.clock.set(new Date());
  issuer.mode = 'broken';
  const judged = await authenticate(token);
  const unjudged = await refusal(fresh.authentication.authenticate(credentials({ bearerToken: token })));
  issuer.mode = 'ok';
  await fresh.stop();
  expect(judged.principal?.accountId).toBe('a-1');
  expect(unjudged).toEqual(['unavailable', 'The identity provider does not respond']);
});

test('many tokens of unknown keys do not multiply the requests for keys', async () => {
  const options = { databaseUrl: auth.databaseUrl, oidcIssuer: issuer.url, oidcAudience: audience };
  const fresh = await startAuth(options);
  fresh.clock.set(new Date());
  const before = issuer.keyRequests;
  const tokens = await Promise.all(Array.from({ length: 50 }, (_, n) => issuer.sign({}, { kid: `unknown-${n}` })));
  const ask = (bearerToken: string) => fresh.authentication.authenticate(credentials({ bearerToken }));
  const together = await Promise.all(tokens.map(ask));
  for (const token of tokens) await ask(token);
  expect(together.map(({ outcome }) => outcome)).toEqual(tokens.map(() => rejected));
  expect(issuer.keyRequests - before).toBe(1);
  await fresh.stop();
});
