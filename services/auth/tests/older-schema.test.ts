import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { AuthenticationOutcome } from '@cadastre/proto/auth';
import { testDatabase } from '@cadastre/service/testing';
import { expect, test } from 'vitest';
import { credentials, ordinaryKey, startAuth } from './auth-system.js';
import { clientId, startFakeIssuer } from './fake-issuer.js';

const migrations = fileURLToPath(new URL('../migrations/', import.meta.url));

/** A database without the newest migration. */
async function databaseBehind() {
  const folder = await mkdtemp(path.join(tmpdir(), 'cadastre-migrations-'));
  const names = (await readdir(migrations)).filter((name) => name.endsWith('.sql')).sort();
  for (const name of names.slice(0, -1)) await cp(path.join(migrations, name), path.join(folder, name));
  const database = await testDatabase(pathToFileURL(`${folder}/`));
  await rm(folder, { recursive: true });
  return database;
}

test('with the schema of the release before, people sign in, make keys and use them', async () => {
  const database = await databaseBehind();
  const issuer = await startFakeIssuer();
  const auth = await startAuth({
    databaseUrl: database.url,
    oidcIssuer: issuer.url,
    oidcClientId: clientId,
    baseUrl: 'https://www.example.net',
  });
  const { authorizationUrl, signInToken } = await auth.sessions.startSignIn({ returnPath: '/' });
  const { searchParams } = new URL(authorizationUrl);
  const nonce = searchParams.get('nonce')!;
  issuer.idToken = { sub: 'a-1', email: 'alice@example.net', email_verified: true, nonce };
  const back = { state: searchParams.get('state')!, code: 'c0de', issuer: issuer.url, error: '' };
  const { session } = await auth.sessions.finishSignIn({ signInToken, ...back });
  const { credential: basic, apiKey } = await auth.apiKeys.createApiKey({ ...ordinaryKey, accountId: 'a-1' });
  const { outcome } = await auth.authentication.authenticate(credentials({ basic, session }));
  expect(outcome).toBe(AuthenticationOutcome.AUTHENTICATION_OUTCOME_AUTHENTICATED);
  const { apiKeys } = await auth.apiKeys.listApiKeys({ accountId: 'a-1', accountName: '' });
  expect(apiKeys.map(({ id }) => id)).toEqual([apiKey!.id]);
  await auth.stop();
  await issuer.close();
  await database.drop();
});
