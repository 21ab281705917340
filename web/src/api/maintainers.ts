import type { ObjectName } from '../paths.js';
import { requestJson } from './request.js';

/** The mntners for which the signed-in account may act. Throws a RequestFailed. */
export async function listOwnMaintainers(signal?: AbortSignal): Promise<ObjectName[]> {
  const answer = await requestJson<{ maintainers: { source: string; key: string }[] }>('/session/maintainers', {
    signal,
  });
  return answer.maintainers.map(({ source, key }) => ({ source, type: 'mntner', key }));
}
