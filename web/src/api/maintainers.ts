import type { ObjectName } from '../paths.js';
import { optional } from './objects.js';
import { answerOf, registry } from './registry.js';
import type { Storage } from './storage.js';

/** A mntner for which the signed-in account may act. */
export interface OwnMaintainer extends ObjectName {
  /** The bytes that it has stored in all; undefined without a limit. */
  readonly storage: Storage | undefined;
}

/** The mntners for which the signed-in account may act. Throws a RequestFailed. */
export async function listOwnMaintainers(signal?: AbortSignal): Promise<OwnMaintainer[]> {
  const { maintainers } = await answerOf(registry.GET('/session/maintainers', optional(signal)));
  return maintainers.map(({ source, key, storage }) => ({ source, type: 'mntner', key, storage }));
}
