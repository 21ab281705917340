import { optional } from './objects.js';
import { answerOf, registry } from './registry.js';

/** How many bytes of object texts were stored, and may be. */
export interface Storage {
  readonly used: number;
  readonly most: number;
}

/** What the caller has stored today; undefined without a limit. Throws a RequestFailed. */
export async function storedToday(signal?: AbortSignal): Promise<Storage | undefined> {
  const { limits } = await answerOf(registry.GET('/metadata/limits', optional(signal)));
  return limits?.limit.find(({ name }) => name === 'storage');
}
