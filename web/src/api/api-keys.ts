import { requestJson } from './request.js';

/** A key of the signed-in account. Instants are ISO 8601. */
export interface ApiKey {
  readonly id: string;
  readonly name: string;
  readonly created: string;
  readonly expires: string;
  readonly revoked?: string;
  readonly 'last-used'?: string;
  /** The only mntner that it acts for. */
  readonly maintainer?: string;
}

/** What a new key shall be. */
export interface ApiKeyWish {
  readonly name: string;
  /** Day of expiry, YYYY-MM-DD. */
  readonly expires: string;
  readonly maintainer?: string;
}

/** The keys, newest first. Throws a RequestFailed. */
export async function listApiKeys(signal?: AbortSignal): Promise<ApiKey[]> {
  return (await requestJson<{ 'api-keys': ApiKey[] }>('/api-keys', { signal }))['api-keys'];
}

/** Makes a key. Its credential is in this answer and nowhere else. Throws a RequestFailed. */
export function createApiKey(wish: ApiKeyWish): Promise<{ 'api-key': ApiKey; credential: string }> {
  return requestJson('/api-keys', { method: 'POST', body: wish });
}

/** Revokes a key for good. Throws a RequestFailed. */
export async function revokeApiKey(id: string): Promise<void> {
  await requestJson(`/api-keys/${encodeURIComponent(id)}`, { method: 'DELETE' });
}
