import { AuthenticationOutcome } from '@cadastre/proto/auth';
import { CredentialKind, Severity } from '@cadastre/proto/registry';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type AuthSystem, credentials, ordinaryKey, sentences, startAuth } from './auth-system.js';

const { AUTHENTICATION_OUTCOME_ANONYMOUS: anonymous } = AuthenticationOutcome;
const { AUTHENTICATION_OUTCOME_AUTHENTICATED: authenticated } = AuthenticationOutcome;
const { AUTHENTICATION_OUTCOME_REJECTED: rejected } = AuthenticationOutcome;

let auth: AuthSystem;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.stop());
beforeEach(() => auth.clock.set('2026-11-21T12:00:30Z'));

const authenticate = (given: Parameters<typeof credentials>[0]) => auth.authentication.authenticate(credentials(given));

async function keyThatEnds(expires?: string, more: Partial<typeof ordinaryKey> = {}) {
  const { apiKey, credential } = await auth.apiKeys.createApiKey({
    ...ordinaryKey,
    expires: expires ? new Date(expires) : undefined,
    ...more,
  });
  return { id: apiKey!.id, basic: credential };
}

const lastUsed = async (id: string) => {
  const { apiKeys } = await auth.apiKeys.listApiKeys({ accountId: '', accountName: 'alice@example.net' });
  return apiKeys.find((key) => key.id === id)?.lastUsed?.toISOString();
};

test('a request without credentials is anonymous', async () => {
  expect(await authenticate({})).toEqual({ outcome: anonymous, principal: undefined, messages: [] });
});

test('a good API key identifies the account, by its name at the identity provider', async () => {
  const { id, basic } = await keyThatEnds();
  expect(await authenticate({ basic })).toEqual({
    outcome: authenticated,
    principal: {
      credentials: [CredentialKind.CREDENTIAL_KIND_API_KEY],
      accountId: 'a-1',
      accountName: 'Alice@example.net',
      apiKeyId: id,
      maintainers: [],
      keyFingerprints: [],
    },
    messages: [],
    keepForMs: expect.any(Number),
  });
});

test('a limited API key contains its maintainer', async () => {
  const { basic } = await keyThatEnds(undefined, { maintainer: 'example-mnt' });
  expect((await authenticate({ basic })).principal?.maintainers).toEqual(['EXAMPLE-MNT']);
});

test('a key that ends within two weeks is accepted with a warning', async () => {
  const { id, basic } = await keyThatEnds('2026-12-20T10:00:00Z');
  auth.clock.set('2026-12-06T09:59:59Z');
  expect((await authenticate({ basic })).messages).toEqual([]);
  auth.clock.set('2026-12-06T10:00:00Z');
  const { outcome, messages } = await authenticate({ basic });
  expect(outcome).toBe(authenticated);
  expect(messages).toEqual([
    {
      severity: Severity.SEVERITY_WARNING,
      text: 'API KeyId %s is due to expire on %s',
      args: [id, '2026-12-20'],
      attribute: undefined,
    },
  ]);
});

describe('rejected with the same words is', () => {
  const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
  test.each<[string, () => Promise<Parameters<typeof credentials>[0]>]>([
    [
      'an expired key',
      async () => {
        const key = await keyThatEnds('2026-11-21T13:00:00Z');
        auth.clock.set('2026-11-21T13:00:00Z');
        return key;
      },
    ],
    [
      'a revoked key',
      async () => {
        const key = await keyThatEnds();
        await auth.apiKeys.revokeApiKey({ id: key.id, accountId: '', accountName: '' });
        return key;
      },
    ],
    ['a wrong secret', async () => ({ basic: base64(`${(await keyThatEnds()).id}:${'x'.repeat(43)}`) })],
    ['an unknown key', async () => ({ basic: base64(`${'x'.repeat(24)}:${'x'.repeat(43)}`) })],
    ['malformed Base64', async () => ({ basic: '%%%' })],
    ['a NUL', async () => ({ basic: base64(`${'x'.repeat(23)}\0:${'x'.repeat(43)}`) })],
    ['a NUL in the text itself', async () => ({ basic: '\0' })],
    ['a megabyte', async () => ({ basic: 'A'.repeat(2 ** 20) })],
    ['a bearer token', async () => ({ bearerToken: 'x' })],
    ['a session', async () => ({ session: 'x' })],
    ['a client certificate', async () => ({ certificate: Buffer.from([0x30, 0]) })],
    ['a bearer token beside a good key', async () => ({ ...(await keyThatEnds()), bearerToken: 'x' })],
  ])('%s', async (_, present) => {
    const answer = await authenticate(await present());
    expect(answer.outcome).toBe(rejected);
    expect(answer.principal).toBeUndefined();
    expect(sentences(answer.messages)).toEqual(['The credential is wrong, expired or revoked']);
    expect(answer.messages[0]?.severity).toBe(Severity.SEVERITY_ERROR);
  });

  test.each([
    ['another registry', { source: 'OTHER' }],
    ['another environment', { environment: 'production' }],
  ] as const)('a key of this registry at %s, even over the same database', async (_, change) => {
    const { basic } = await keyThatEnds();
    const other = await startAuth({ databaseUrl: auth.databaseUrl, ...change });
    const { outcome } = await other.authentication.authenticate(credentials({ basic }));
    await other.stop();
    expect(outcome).toBe(rejected);
  });
});

test('the minute of its last use is noted', async () => {
  const { id, basic } = await keyThatEnds();
  expect(await lastUsed(id)).toBeUndefined();
  await authenticate({ basic });
  expect(await lastUsed(id)).toBe('2026-11-21T12:00:00.000Z');
  auth.clock.set('2026-11-21T12:01:01Z');
  await authenticate({ basic });
  expect(await lastUsed(id)).toBe('2026-11-21T12:01:00.000Z');
});

test('a rejected credential notes no use', async () => {
  const { id, basic } = await keyThatEnds();
  await auth.apiKeys.revokeApiKey({ id, accountId: '', accountName: '' });
  await authenticate({ basic });
  expect(await lastUsed(id)).toBeUndefined();
});

test('keys work while the identity provider is unavailable', async () => {
  const { basic } = await keyThatEnds();
  auth.directory.mode = 'hang';
  expect((await authenticate({ basic })).outcome).toBe(authenticated);
  auth.directory.mode = 'ok';
});
