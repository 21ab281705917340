import type { LoadedKeys, LoadPosition, LoadResponse, RejectedObject } from '@cadastre/proto/objects';
import { CommandFailure } from '../failure.js';
import type { Input } from './input.js';

/** The position of a load, and its state for resuming after a break. */
export interface Place {
  /** Records a report; true when the load got further than ever before. */
  advance(news: LoadResponse['news']): boolean;
  /** False for an object that was reported before a break, after which the load went back. */
  isNew(rejected: RejectedObject): boolean;
  /**
   * The parameters of the next call. At the first line it starts again, and the registry knows that the last call
   * broke.
   */
  current(): { readonly resume: LoadPosition | undefined; readonly keys: readonly LoadedKeys[] };
  /** Describes where the load resumes; throws a CommandFailure when that text is no longer available. */
  goOn(): string;
}

/** The position of a load that has not begun. Stores 8 bytes for each object. */
export function createPlace(input: Pick<Input, 'has' | 'forget'>): Place {
  let position: LoadPosition | undefined;
  let keys: LoadedKeys[] = [];
  let furthestLine = 0n;
  let lastRejectedLine = 0n;
  let reportedUpTo = 0n;
  const atStart = () => position === undefined || position.line <= 1n;

  return {
    advance(news) {
      if (news?.$case === 'begun') {
        position = news.value.position;
        if (atStart()) keys = [];
      }
      if (news?.$case !== 'progress') return false;
      const { line, position: next, keys: added } = news.value;
      if (next !== undefined) {
        position = next;
        if (added !== undefined) keys.push(added);
        input.forget(Number(next.line));
      }
      const isFurther = line > furthestLine;
      if (isFurther) furthestLine = line;
      return isFurther;
    },
    isNew({ line }) {
      if (line <= reportedUpTo) return false;
      lastRejectedLine = line;
      return true;
    },
    current: () => ({ resume: position, keys }),
    goOn() {
      reportedUpTo = lastRejectedLine;
      if (!input.has(Number(position?.line ?? 1))) {
        throw new CommandFailure(
          'The connection was lost, and standard input cannot be read again. Load it again: stored objects remain stored',
        );
      }
      if (position === undefined || atStart()) return 'starting again, because nothing of this load is stored';
      const { created, modified, unchanged, rejected } = position;
      return `resuming at object ${created + modified + unchanged + rejected + 1n}`;
    },
  };
}
