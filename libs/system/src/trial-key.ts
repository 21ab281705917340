import { readFile } from 'node:fs/promises';
import { ApiKeyServiceService, AuthenticationOutcome, AuthenticationServiceService } from '@cadastre/proto/auth';
import { connect } from '@cadastre/service';
import { writePrivateFile } from './run-file.js';

/** An API key ready for use. */
export interface TrialKey {
  account: string;
  /** The value for "Authorization: Basic". */
  credential: string;
  /** ISO 8601. */
  expires: string;
}

/** Returns the API key in a file, or creates one when there is none or the service no longer accepts it. */
export async function ensureTrialKey(authAddress: string, account: string, file: string): Promise<TrialKey> {
  const stored = await readKey(file);
  if (stored && stored.account === account && (await isAccepted(authAddress, stored.credential))) return stored;
  const made = await makeKey(authAddress, account);
  await writePrivateFile(file, made);
  return made;
}

async function readKey(file: string): Promise<TrialKey | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as TrialKey;
  } catch {
    // No file, or an invalid one: a new key replaces it.
    return undefined;
  }
}

async function isAccepted(address: string, credential: string): Promise<boolean> {
  using authentication = connect(AuthenticationServiceService, { address, deadlineMs: 10_000 });
  const answer = await authentication.authenticate({
    basic: credential,
    bearerToken: '',
    session: '',
    clientCertificate: Buffer.alloc(0),
  });
  return answer.outcome === AuthenticationOutcome.AUTHENTICATION_OUTCOME_AUTHENTICATED;
}

async function makeKey(address: string, account: string): Promise<TrialKey> {
  using keys = connect(ApiKeyServiceService, { address, deadlineMs: 10_000 });
  const { apiKey, credential } = await keys.createApiKey({
    accountId: '',
    accountName: account,
    name: 'made by make run',
    expires: undefined,
    maintainer: '',
    createAccount: true,
  });
  return { account, credential, expires: apiKey?.expires?.toISOString() ?? '' };
}
