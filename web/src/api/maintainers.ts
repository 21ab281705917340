import type { ObjectName } from '../paths.js';
import { optional } from './objects.js';
import { answerOf, registry } from './registry.js';

/** The mntners for which the signed-in account may act. Throws a RequestFailed. */
export async function listOwnMaintainers(signal?: AbortSignal): Promise<ObjectName[]> {
  const { maintainers } = await answerOf(registry.GET('/session/maintainers', optional(signal)));
  return maintainers.map(({ source, key }) => ({ source, type: 'mntner', key }));
}

/** The number of objects of each type, in the order of results. */
export interface TypeCounts {
  readonly types: readonly { readonly type: string; readonly objects: number }[];
  /** Whether there are more than these. */
  readonly isPartial: boolean;
}

/** Counts what a mntner maintains. Throws a RequestFailed. */
export async function countMaintained({ source, key }: ObjectName, signal?: AbortSignal): Promise<TypeCounts> {
  const query = { 'query-string': key, source, 'inverse-attribute': 'mnt-by' };
  const { counts, partial } = await answerOf(
    registry.GET('/search/counts', { params: { query }, ...optional(signal) }),
  );
  return { types: counts, isPartial: partial };
}
