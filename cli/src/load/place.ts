import type { LoadedKeys, LoadPosition, LoadResponse, RejectedObject } from '@cadastre/proto/objects';
import { CommandFailure } from '../failure.js';
import type { Input } from './input.js';

/** How far a load is, and what it needs to go on after a break. */
export interface Place {
  /** Takes note of news; true when the load got further than ever before. */
  advance(news: LoadResponse['news']): boolean;
  /** False for an object that was reported before a break, after which the load went back. */
  isNew(rejected: RejectedObject): boolean;
  /** What the next call sends; without `resume` it starts again. */
  current(): { readonly resume: LoadPosition | undefined; readonly keys: readonly LoadedKeys[] };
  /** Says where the load goes on; throws a CommandFailure when the text is not there any more. */
  goOn(): string;
}

/** The place of a load that has not begun. Keeps 8 bytes for each object. */
export function createPlace(input: Pick<Input, 'has' | 'forget'>): Place {
  let position: LoadPosition | undefined;
  let keys: LoadedKeys[] = [];
  let furthestLine = 0n;
  let lastRejectedLine = 0n;
  let reportedUpTo = 0n;
  const resume = () => (position !== undefined && position.line > 1n ? position : undefined);

  return {
    advance(news) {
      if (news?.$case === 'begun') {
        position = news.value.position;
        if (resume() === undefined) keys = [];
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
    current: () => ({ resume: resume(), keys: resume() === undefined ? [] : keys }),
    goOn() {
      reportedUpTo = lastRejectedLine;
      const at = resume();
      if (!input.has(Number(at?.line ?? 1))) {
        throw new CommandFailure(
          'The connection was lost, and standard input cannot be read again. Load it again: what is stored stays stored',
        );
      }
      if (at === undefined) return 'starting again, because nothing of this load is stored';
      return `going on at object ${at.created + at.modified + at.unchanged + at.rejected + 1n}`;
    },
  };
}
