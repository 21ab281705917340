import type { LimitedClient } from '@cadastre/limits';
import type { SubmittedObject, WriteResult } from '@cadastre/proto/objects';
import { accountTexts, attributeType, cleanValue } from '@cadastre/rpsl';
import { check, type Limiting } from './exceeded.js';

/**
 * Makes a write of objects, and counts the names in `auth: SSO` lines without an account: they may be guesses. Throws
 * an HttpError (429) without a check of the names when the client has sent too many of these.
 */
export async function countingUnknownAccounts<R extends { readonly results: readonly WriteResult[] }>(
  context: Limiting,
  client: LimitedClient,
  objects: readonly (SubmittedObject | undefined)[],
  write: () => Promise<R>,
): Promise<R> {
  if (!objects.some(namesAccounts)) return write();
  check(context, context.limiter.check(client, 'unknown-accounts'));
  const made = await write();
  const unknown = made.results.reduce((sum, result) => sum + unknownAccounts(result), 0);
  if (unknown > 0) context.limiter.count(client, 'unknown-accounts', unknown);
  return made;
}

function namesAccounts(object: SubmittedObject | undefined): boolean {
  // A comment or a continuation line may come before the name of the kind.
  const namesOne = ({ name, value: raw }: { readonly name: string; readonly value: string }) =>
    /sso/i.test(raw) && isAuth(name) && /^sso\b/i.test(cleanValue({ name, raw }));
  return object?.attributes.some(namesOne) ?? false;
}

function isAuth(name: string): boolean {
  return attributeType(name.trim())?.name === 'auth';
}

function unknownAccounts({ messages }: WriteResult): number {
  return messages.reduce((sum, { text, args }) => {
    if (text === accountTexts.unknown) return sum + 1;
    return text === accountTexts.manyUnknown ? sum + Number(args[0]) : sum;
  }, 0);
}
