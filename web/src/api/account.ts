import type { ApiKey, components } from '@cadastre/client';
import type { ObjectName } from '../paths.js';
import { answerOf, registry } from './registry.js';

/** A mntner for which the signed-in account may act, and the bytes that it has stored in all, if they have a limit. */
export type OwnMaintainer = ObjectName & { readonly storage?: Storage };

/** The mntners for which the signed-in account may act. Throws a RequestFailed. */
export async function listOwnMaintainers(signal?: AbortSignal): Promise<OwnMaintainer[]> {
  const { maintainers } = await answerOf(registry.GET('/session/maintainers', { signal }));
  return maintainers.map((maintainer) => ({ ...maintainer, type: 'mntner' }));
}

/** The stored bytes of object texts, and their limit. */
export interface Storage {
  readonly used: number;
  readonly most: number;
}

/** The bytes that the caller has stored today; undefined without a limit. Throws a RequestFailed. */
export async function storedToday(signal?: AbortSignal): Promise<Storage | undefined> {
  const { limits } = await answerOf(registry.GET('/metadata/limits', { signal }));
  return limits?.limit.find(({ name }) => name === 'storage');
}

/** The keys of the signed-in account, newest first. Throws a RequestFailed. */
export async function listApiKeys(signal?: AbortSignal): Promise<ApiKey[]> {
  return (await answerOf(registry.GET('/api-keys', { signal })))['api-keys'];
}

/** Creates a key. Only this response has its credential. Throws a RequestFailed. */
export function createApiKey(key: components['schemas']['ApiKeyRequest']): Promise<{ credential: string }> {
  return answerOf(registry.POST('/api-keys', { body: key }));
}

/** Revokes a key permanently. Throws a RequestFailed. */
export async function revokeApiKey(id: string): Promise<void> {
  await answerOf(registry.DELETE('/api-keys/{id}', { params: { path: { id } } }));
}
