import type { ResolveAccountsRequest, ResolveAccountsResponse } from '@cadastre/proto/auth';
import { ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { type Account, foldName, isAccountId, isAccountName } from '../domain/account.js';
import { messages } from '../domain/messages.js';

const maxAccounts = 1000;
/** Questions to the identity provider at the same time. */
const atOnce = 8;

/** Looks up accounts; what is not known is left out. */
export async function resolveAccounts(
  { directory }: Context,
  request: ResolveAccountsRequest,
): Promise<ResolveAccountsResponse> {
  if (request.names.length + request.ids.length > maxAccounts) {
    throw new ServiceError('invalid', [messages.tooManyAccounts(maxAccounts)]);
  }
  const names = new Map(request.names.filter(isAccountName).map((name) => [foldName(name), name]));
  const ids = new Set(request.ids.filter(isAccountId));
  const byName = [...names.values()].map((name) => () => directory.byName(name));
  const byId = [...ids].map((id) => () => directory.byId(id));
  const found = await runSome([...byName, ...byId], atOnce);
  const accounts = new Map(found.flatMap((account): [string, Account][] => (account ? [[account.id, account]] : [])));
  return { accounts: [...accounts.values()] };
}

/** Runs tasks, at most `most` of them at a time. */
async function runSome<T>(tasks: (() => Promise<T>)[], most: number): Promise<T[]> {
  const waiting = tasks.values();
  const results: T[] = [];
  const work = async () => {
    for (const task of waiting) results.push(await task());
  };
  await Promise.all(Array.from({ length: most }, work));
  return results;
}
