import { CredentialKind } from '@cadastre/proto/registry';
import type { Context } from '../context.js';
import { accountById } from '../store/accounts.js';
import { type Finding, rejected } from './finding.js';

/** Checks a bearer token of the identity provider. Its account must have been seen, or be in the directory. */
export async function checkBearerToken(context: Context, token: string): Promise<Finding> {
  const subject = await context.identityProvider.subjectOf(token);
  if (subject === undefined) return rejected;
  const account = (await accountById(context.pool, subject)) ?? (await context.directory.byId(subject));
  if (!account) return rejected;
  const credentials = [CredentialKind.CREDENTIAL_KIND_BEARER_TOKEN];
  return { accepted: { credentials, accountId: account.id, accountName: account.name } };
}
