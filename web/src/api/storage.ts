import { optional } from './objects.js';
import { answerOf, registry } from './registry.js';

/** The stored bytes of object texts, and their limit. */
export interface Storage {
  readonly used: number;
  readonly most: number;
}

/** The bytes that the caller has stored today; undefined without a limit. Throws a RequestFailed. */
export async function storedToday(signal?: AbortSignal): Promise<Storage | undefined> {
  const { limits } = await answerOf(registry.GET('/metadata/limits', optional(signal)));
  return limits?.limit.find(({ name }) => name === 'storage');
}
