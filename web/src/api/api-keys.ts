import type { ApiKey } from '@cadastre/client';
import { optional } from './objects.js';
import { answerOf, registry } from './registry.js';

/** The properties of a new key. */
export interface NewApiKey {
  readonly name: string;
  /** Day of expiry, YYYY-MM-DD. */
  readonly expires: string;
  /** The only mntner that it acts for; default: all of the account. */
  readonly maintainer?: string;
}

/** The keys of the signed-in account, newest first. Throws a RequestFailed. */
export async function listApiKeys(signal?: AbortSignal): Promise<ApiKey[]> {
  return (await answerOf(registry.GET('/api-keys', optional(signal))))['api-keys'];
}

/** Creates a key. Only this response has its credential. Throws a RequestFailed. */
export function createApiKey(key: NewApiKey): Promise<{ credential: string }> {
  return answerOf(registry.POST('/api-keys', { body: key }));
}

/** Revokes a key permanently. Throws a RequestFailed. */
export async function revokeApiKey(id: string): Promise<void> {
  await answerOf(registry.DELETE('/api-keys/{id}', { params: { path: { id } } }));
}
