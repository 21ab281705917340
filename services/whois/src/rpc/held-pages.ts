import { ServiceError } from '@cadastre/service';
import type { ExpansionMemory } from '../expansion-memory.js';

/** The only reference to the pages of an answer. */
export interface HeldPages<T> {
  pages: AsyncGenerator<T> | undefined;
}

interface ReadingOptions<T> {
  /** Approximate bytes of a page. */
  bytesOf(page: T): number;
  /** Releases what else the answer holds. */
  onGivenUp?(): void;
}

/**
 * The pages, until other answers need their memory. When a slow reader is given up, releases them immediately, because
 * its next read may never come; that read throws a ServiceError (unavailable).
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
