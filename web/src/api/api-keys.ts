import type { ApiKey } from '@cadastre/client';
import { optional } from './objects.js';
import { answerOf, registry } from './registry.js';

/** What a new key shall be. */
export interface ApiKeyWish {
  readonly name: string;
  /** Day of expiry, YYYY-MM-DD. */
  readonly expires: string;
  /** The only mntner that it acts for; all of the account unless given. */
  readonly maintainer?: string;
}

/** The keys of the signed-in account, newest first. Throws a RequestFailed. */
export async function listApiKeys(signal?: AbortSignal): Promise<ApiKey[]> {
  return (await answerOf(registry.GET('/api-keys', optional(signal))))['api-keys'];
}

/** Makes a key. Its credential is in this answer and nowhere else. Throws a RequestFailed. */
export function createApiKey(wish: ApiKeyWish): Promise<{ credential: string }> {
  return answerOf(registry.POST('/api-keys', { body: wish }));
}

/** Revokes a key for good. Throws a RequestFailed. */
export async function revokeApiKey(id: string): Promise<void> {
  await answerOf(registry.DELETE('/api-keys/{id}', { params: { path: { id } } }));
}
