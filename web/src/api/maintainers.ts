import type { ObjectName } from '../paths.js';
import { optional } from './objects.js';
import { answerOf, registry } from './registry.js';

/** The mntners for which the signed-in account may act. Throws a RequestFailed. */
export async function listOwnMaintainers(signal?: AbortSignal): Promise<ObjectName[]> {
  const { maintainers } = await answerOf(registry.GET('/session/maintainers', optional(signal)));
  return maintainers.map(({ source, key }) => ({ source, type: 'mntner', key }));
}
