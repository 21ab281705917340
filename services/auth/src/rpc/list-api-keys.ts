import type { ListApiKeysRequest, ListApiKeysResponse } from '@cadastre/proto/auth';
import { ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { type Account, isAccountName } from '../domain/account.js';
import { messages } from '../domain/messages.js';
import { accountByName } from '../store/accounts.js';
import { listApiKeys as listStoredKeys } from '../store/api-keys.js';
import { toApiKey } from './convert.js';

/** Lists the keys of an account, also of one that the identity provider no longer knows. */
export async function listApiKeys(context: Context, request: ListApiKeysRequest): Promise<ListApiKeysResponse> {
  const account = await findAccount(context, request.accountName);
  if (!account) throw new ServiceError('not-found', [messages.unknownAccount(request.accountName.slice(0, 254))]);
  const records = await listStoredKeys(context.pool, account.id);
  return { apiKeys: records.map(toApiKey) };
}

/** Asks the identity provider first: a name may have passed to another account since it was last seen here. */
async function findAccount({ directory, pool }: Context, name: string): Promise<Account | undefined> {
  if (!isAccountName(name)) return undefined;
  const known = await directory.byName(name).catch((error) => {
    if (error instanceof ServiceError && error.kind === 'unavailable') return undefined;
    throw error;
  });
  return known ?? accountByName(pool, name);
}
