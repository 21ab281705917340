import { ServiceError } from '@cadastre/service';
import type { ExpansionMemory } from '../expansion-memory.js';

/** The only reference to the pages of an answer. */
export interface HeldPages<T> {
  pages: AsyncGenerator<T> | undefined;
}

interface ReadingOptions<T> {
  /** Bytes of a page, about. */
  bytesOf(page: T): number;
  /** Forgets what else the answer holds. */
  onGivenUp?(): void;
}

/**
 * The pages, while the memory for them is not needed for others. When a slow reader is given up, they are forgotten at
 * once, because nobody knows when it asks again; then this throws a ServiceError (unavailable).
 */
export async function* unlessGivenUp<T>(
  answer: HeldPages<T>,
  held: ExpansionMemory,
  { bytesOf, onGivenUp }: ReadingOptions<T>,
): AsyncGenerator<T> {
  const noteRead = held.readUntil(() => {
    answer.pages = undefined;
    onGivenUp?.();
  });
  for (;;) {
    const next: IteratorResult<T> | undefined = await answer.pages?.next();
    if (answer.pages === undefined) throw new ServiceError('unavailable', 'The answer was read too slowly');
    if (next === undefined || next.done) return;
    yield next.value;
    noteRead(bytesOf(next.value));
  }
}
