import type { CreateApiKeyRequest, CreateApiKeyResponse } from '@cadastre/proto/auth';
import { inTransaction, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import type { Account } from '../domain/account.js';
import { type ApiKeyRecord, encodeCredential, hashSecret, newCredential } from '../domain/api-key.js';
import { latestExpiry } from '../domain/expiry.js';
import { messages } from '../domain/messages.js';
import { problemsOf } from '../domain/new-key.js';
import { lockAccount } from '../store/accounts.js';
import { countUsableKeys, insertApiKey } from '../store/api-keys.js';
import { toApiKey } from './convert.js';

const maxKeysPerAccount = 100;

/** Makes a key; its secret exists in this answer and nowhere else. */
export async function createApiKey(context: Context, request: CreateApiKeyRequest): Promise<CreateApiKeyResponse> {
  const now = context.now();
  const wish = { ...request, expires: request.expires ?? latestExpiry(now) };
  const problems = problemsOf(wish, now);
  if (problems.length > 0) throw new ServiceError('invalid', problems);
  const account = await findOrCreateAccount(context, request);
  const credential = newCredential();
  const record: ApiKeyRecord = {
    id: credential.id,
    accountId: account.id,
    accountName: account.name,
    name: wish.name,
    hash: hashSecret(context.audience, credential),
    maintainer: wish.maintainer.toUpperCase(),
    created: now,
    expires: wish.expires,
    revoked: undefined,
    lastUsed: undefined,
  };
  await store(context, record);
  return { apiKey: toApiKey(record), credential: encodeCredential(credential) };
}

async function findOrCreateAccount({ directory }: Context, request: CreateApiKeyRequest): Promise<Account> {
  const found = await directory.byName(request.accountName);
  const account = found ?? (request.createAccount ? await directory.create(request.accountName) : undefined);
  if (account) return account;
  throw new ServiceError('not-found', [messages.unknownAccount(request.accountName)]);
}

async function store({ pool }: Context, record: ApiKeyRecord): Promise<void> {
  await inTransaction(pool, async (client) => {
    await lockAccount(client, record.accountId);
    if ((await countUsableKeys(client, record.accountId, record.created)) >= maxKeysPerAccount) {
      throw new ServiceError('exhausted', [messages.tooManyKeys(maxKeysPerAccount)]);
    }
    await insertApiKey(client, record);
  });
}
