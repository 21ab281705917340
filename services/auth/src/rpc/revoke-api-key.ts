import type { RevokeApiKeyRequest, RevokeApiKeyResponse } from '@cadastre/proto/auth';
import { ServiceError } from '@cadastre/service';
import type { Context } from '../context.js';
import { isAccountName } from '../domain/account.js';
import { messages } from '../domain/messages.js';
import { revokeApiKey as revokeStoredKey } from '../store/api-keys.js';
import { toApiKey } from './convert.js';

/** Revokes a key for good; its owner needs nothing but its identifier. */
export async function revokeApiKey(context: Context, request: RevokeApiKeyRequest): Promise<RevokeApiKeyResponse> {
  const { id, accountName } = request;
  const possible = /^[A-Za-z0-9]{24}$/.test(id) && (accountName === '' || isAccountName(accountName));
  const record = possible ? await revokeStoredKey(context.pool, id, accountName, context.now()) : undefined;
  if (!record) throw new ServiceError('not-found', [messages.unknownKey(id.slice(0, 24))]);
  return { apiKey: toApiKey(record) };
}
