import { createHash } from 'node:crypto';
import { AuthenticationOutcome } from '@cadastre/proto/auth';
import { CredentialKind } from '@cadastre/proto/registry';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type AuthSystem, credentials, ordinaryKey, sentences, startAuth } from './auth-system.js';
import { makeCertificate } from './certificates.js';

let auth: AuthSystem;
beforeAll(async () => {
  auth = await startAuth();
});
afterAll(() => auth.stop());
beforeEach(() => auth.clock.set('2026-11-21T12:00:30Z'));

const { der } = makeCertificate('2026-11-01T00:00:00Z', '2026-12-01T00:00:00Z');
const fingerprint = createHash('sha256').update(der).digest('hex');
const authenticate = (given: Parameters<typeof credentials>[0]) => auth.authentication.authenticate(credentials(given));

test('a valid certificate of any issuer results in its fingerprint and no account', async () => {
  const { outcome, principal } = await authenticate({ certificate: der });
  expect(outcome).toBe(AuthenticationOutcome.AUTHENTICATION_OUTCOME_AUTHENTICATED);
  expect(principal).toEqual({
    credentials: [CredentialKind.CREDENTIAL_KIND_CLIENT_CERTIFICATE],
    accountId: '',
    accountName: '',
    apiKeyId: '',
    maintainers: [],
    keyFingerprints: [fingerprint],
  });
});

test.each([
  ['2026-10-31T23:59:59Z', `Certificate in keycert ${fingerprint} is not yet valid`],
  ['2026-11-01T00:00:00Z', undefined],
  ['2026-12-01T00:00:00Z', undefined],
  ['2026-12-01T00:00:01Z', `Certificate in keycert ${fingerprint} has expired`],
])('at %s a certificate for November is judged by its dates', async (time, refusal) => {
  auth.clock.set(time);
  const { outcome, messages } = await authenticate({ certificate: der });
  expect(sentences(messages)).toEqual(refusal ? [refusal] : []);
  const { AUTHENTICATION_OUTCOME_AUTHENTICATED: good, AUTHENTICATION_OUTCOME_REJECTED: bad } = AuthenticationOutcome;
  expect(outcome).toBe(refusal ? bad : good);
});

test('a certificate and an API key count together', async () => {
  const { credential: basic } = await auth.apiKeys.createApiKey(ordinaryKey);
  const { principal } = await authenticate({ basic, certificate: der });
  expect(principal).toMatchObject({
    credentials: [CredentialKind.CREDENTIAL_KIND_API_KEY, CredentialKind.CREDENTIAL_KIND_CLIENT_CERTIFICATE],
    accountId: 'a-1',
    keyFingerprints: [fingerprint],
  });
});

test('all errors are reported together', async () => {
  auth.clock.set('2026-12-02T00:00:00Z');
  const { outcome, messages } = await authenticate({ basic: 'x', session: 'x', certificate: der });
  expect(outcome).toBe(AuthenticationOutcome.AUTHENTICATION_OUTCOME_REJECTED);
  expect(sentences(messages)).toEqual([
    'The credential is wrong, expired or revoked',
    `Certificate in keycert ${fingerprint} has expired`,
  ]);
});

test.each([
  ['no certificate', Buffer.from('certificate')],
  ['half a certificate', der.subarray(0, der.length / 2)],
  ['a certificate with something behind it', Buffer.concat([der, Buffer.from('x')])],
  ['a list of certificates', Buffer.concat([der, der])],
  [
    'a certificate as text',
    Buffer.from(`-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----`),
  ],
  ['too many octets', Buffer.alloc(100_000, 0x30)],
])('rejected is %s', async (_, certificate) => {
  const { outcome, messages } = await authenticate({ certificate });
  expect(outcome).toBe(AuthenticationOutcome.AUTHENTICATION_OUTCOME_REJECTED);
  expect(sentences(messages)).toEqual(['The credential is wrong, expired or revoked']);
});
