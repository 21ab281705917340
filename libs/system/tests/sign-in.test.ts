import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { authSettings, createAuthService } from '@cadastre/auth';
import { AuthenticationOutcome, AuthenticationServiceService, SessionServiceService } from '@cadastre/proto/auth';
import { CredentialKind } from '@cadastre/proto/registry';
import { connect, readSettings, reservePort, type Service } from '@cadastre/service';
import { testDatabase, testLogger } from '@cadastre/service/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { restAudience, webClientId } from '../src/identity-client.js';
import { createIdentityProvider } from '../src/identity-provider.js';
import { obtainTokens, redirectUrl, signIn } from './harness/sign-in.js';

const login = 'alice@example.net';

let directory: string;
let issuer: string;
let provider: Service;
let stopAuth: () => Promise<void>;
let sessions: ReturnType<typeof connect<typeof SessionServiceService>>;
let authentication: ReturnType<typeof connect<typeof AuthenticationServiceService>>;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'cadastre-sign-in-'));
  issuer = `http://127.0.0.1:${await reservePort()}`;
  provider = identityProvider();
  await provider.start();
  await startAuth();
});
afterAll(async () => {
  await stopAuth();
  await provider.stop();
  await rm(directory, { recursive: true });
});
function identityProvider(): Service {
  const dataFile = path.join(directory, 'identity.json');
  const port = Number(new URL(issuer).port);
  return createIdentityProvider({ dataFile, port, issuer, scimToken: 'scim-token', logger: testLogger() });
}

async function startAuth(): Promise<void> {
  const migrations = new URL('../migrations/', import.meta.resolve('@cadastre/auth'));
  const database = await testDatabase(migrations);
  const settings = readSettings(authSettings, {
    CADASTRE_LISTEN: '127.0.0.1:0',
    CADASTRE_DATABASE_URL: database.url,
    CADASTRE_OIDC_ISSUER: issuer,
    CADASTRE_OIDC_CLIENT_ID: webClientId,
    CADASTRE_BASE_URL: new URL(redirectUrl).origin,
    CADASTRE_OIDC_AUDIENCE: restAudience,
  });
  const service = await createAuthService(settings, { logger: testLogger() });
  await service.start();
  const client = { address: service.address(), deadlineMs: 60_000 };
  sessions = connect(SessionServiceService, client);
  authentication = connect(AuthenticationServiceService, client);
  stopAuth = async () => {
    sessions.close();
    authentication.close();
    await service.stop();
    await database.drop();
  };
}

/** Signs in from the first click to the session cookie. */
async function openSession() {
  const { authorizationUrl, signInToken } = await sessions.startSignIn({ returnPath: '/' });
  const { searchParams } = new URL(await signIn(authorizationUrl, login, redirectUrl));
  const parameter = (name: string) => searchParams.get(name) ?? '';
  return sessions.finishSignIn({
    signInToken,
    state: parameter('state'),
    code: parameter('code'),
    issuer: parameter('iss'),
    error: parameter('error'),
  });
}

const authenticate = (given: { session?: string; bearerToken?: string }) =>
  authentication.authenticate({
    basic: '',
    session: '',
    bearerToken: '',
    clientCertificate: Buffer.alloc(0),
    ...given,
  });

test('a user signs in at the identity provider, uses the session, and signs out', async () => {
  const { session, account } = await openSession();
  expect(account?.name).toBe(login);
  const { outcome, principal } = await authenticate({ session });
  expect(outcome).toBe(AuthenticationOutcome.AUTHENTICATION_OUTCOME_AUTHENTICATED);
  expect(principal).toMatchObject({ accountId: account?.id, accountName: login });
  await sessions.endSession({ session });
  expect((await authenticate({ session })).outcome).toBe(AuthenticationOutcome.AUTHENTICATION_OUTCOME_REJECTED);
});

test('an access token of the identity provider authenticates the same account; its identity token does not', async () => {
  const { account } = await openSession();
  const tokens = await obtainTokens(issuer, login);
  const { principal } = await authenticate({ bearerToken: tokens.access_token });
  expect(principal).toMatchObject({
    credentials: [CredentialKind.CREDENTIAL_KIND_BEARER_TOKEN],
    accountId: account?.id,
    accountName: login,
  });
  const { outcome } = await authenticate({ bearerToken: tokens.id_token });
  expect(outcome).toBe(AuthenticationOutcome.AUTHENTICATION_OUTCOME_REJECTED);
});

test('sessions work while the identity provider is down', async () => {
  const { session } = await openSession();
  await provider.stop();
  const { outcome } = await authenticate({ session });
  provider = identityProvider();
  await provider.start();
  expect(outcome).toBe(AuthenticationOutcome.AUTHENTICATION_OUTCOME_AUTHENTICATED);
});
