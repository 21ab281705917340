import type { ApiKey, ApiKeyServiceService, CreateApiKeyRequest } from '@cadastre/proto/auth';
import { type Handlers, inTransaction, ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { type Account, isAccountId, isAccountName } from '../domain/accounts.js';
import {
  type ApiKeyRecord,
  encodeCredential,
  hashSecret,
  isApiKeyId,
  latestExpiry,
  newCredential,
  problemsOfNewKey,
} from '../domain/api-keys.js';
import { messages } from '../domain/messages.js';
import { accountById, accountByName, lockAccount } from '../store/accounts.js';
import { countUsableKeys, insertApiKey, listApiKeys, revokeApiKey } from '../store/api-keys.js';

const maxKeysPerAccount = 100;

/** The methods of ApiKeyService. */
export function apiKeyHandlers(context: Context): Handlers<typeof ApiKeyServiceService> {
  const { pool, audience, now: clock } = context;
  return {
    createApiKey: async (request) => {
      const now = clock();
      const expires = request.expires ?? latestExpiry(now);
      const problems = problemsOfNewKey({ ...request, expires }, now);
      if (problems.length > 0) throw new ServiceError('invalid', problems);
      const account = await findOrCreateAccount(context, request);
      const credential = newCredential();
      const record: ApiKeyRecord = {
        id: credential.id,
        accountId: account.id,
        accountName: account.name,
        name: request.name,
        hash: hashSecret(audience, credential),
        maintainer: request.maintainer.toUpperCase(),
        created: now,
        expires,
        revoked: undefined,
        lastUsed: undefined,
      };
      await storeApiKey(context, record);
      return { apiKey: toApiKey(record), credential: encodeCredential(credential) };
    },
    listApiKeys: async (request) => {
      const account = await requireOwner(context, request);
      return { apiKeys: (await listApiKeys(pool, account.id)).map(toApiKey) };
    },
    revokeApiKey: async (request) => {
      const { id, accountId, accountName } = request;
      const isNamed = accountId !== '' || accountName !== '';
      const owner = isNamed ? (await requireOwner(context, request)).id : undefined;
      const record = isApiKeyId(id) ? await revokeApiKey(pool, id, owner, clock()) : undefined;
      if (!record) throw new ServiceError('not-found', [messages.unknownKey(id.slice(0, 24))]);
      return { apiKey: toApiKey(record) };
    },
  };
}

/** A new key needs a fresh lookup: another account may have the name now, or the account may no longer exist. */
async function findOrCreateAccount({ directory }: Context, request: CreateApiKeyRequest): Promise<Account> {
  const { accountId, accountName, createAccount } = request;
  const found = accountId
    ? await directory.byId(accountId, { fresh: true })
    : await directory.byName(accountName, { fresh: true });
  const account = found ?? (createAccount && !accountId ? await directory.create(accountName) : undefined);
  if (account) return account;
  throw new ServiceError('not-found', [messages.unknownAccount(accountId || accountName)]);
}

async function storeApiKey({ pool }: Context, record: ApiKeyRecord): Promise<void> {
  await inTransaction(pool, async (client) => {
    await lockAccount(client, record.accountId);
    if ((await countUsableKeys(client, record.accountId, record.created)) >= maxKeysPerAccount) {
      throw new ServiceError('exhausted', [messages.tooManyKeys(maxKeysPerAccount)]);
    }
    await insertApiKey(client, record);
  });
}

/** Names an account: by its subject, or else by its name. */
type NamedAccount = Pick<CreateApiKeyRequest, 'accountId' | 'accountName'>;

/** Finds the account whose keys to list or revoke; it may no longer exist at the identity provider. */
async function requireOwner(context: Context, { accountId, accountName }: NamedAccount): Promise<Account> {
  const account = accountId ? await ownerById(context, accountId) : await ownerByName(context, accountName);
  if (account) return account;
  throw new ServiceError('not-found', [messages.unknownAccount((accountId || accountName).slice(0, 254))]);
}

async function ownerById({ pool }: Context, id: string): Promise<Account | undefined> {
  return isAccountId(id) ? accountById(pool, id) : undefined;
}

/**
 * The account that has the name now. When the identity provider does not answer or does not know the name, the account
 * that was last seen under it, so that the operator still finds its keys.
 */
async function ownerByName({ directory, pool }: Context, name: string): Promise<Account | undefined> {
  if (!isAccountName(name)) return undefined;
  const known = await directory.byName(name, { fresh: true }).catch((error) => {
    if (error instanceof ServiceError && error.kind === 'unavailable') return undefined;
    throw error;
  });
  return known ?? accountByName(pool, name);
}

/** Shows a stored key without its hash. */
function toApiKey(record: ApiKeyRecord): ApiKey {
  const { id, name, accountName, created, expires, revoked, lastUsed, maintainer } = record;
  return { id, name, accountName, created, expires, revoked, lastUsed, maintainer };
}
