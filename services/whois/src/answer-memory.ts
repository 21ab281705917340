import { ServiceError } from '@cadastre/service';

/** Memory that large answers may use together, until their clients have read them. */
export interface AnswerMemory {
  /**
   * Takes bytes. With too many in use, the slowest readers are given up until there is room; throws a ServiceError
   * (unavailable) when there is none.
   */
  take(bytes: number): MemoryShare;
}

/** Bytes that are taken. */
export interface MemoryShare {
  /**
   * From now on a reader takes the answer that the bytes are for; `giveUp` ends it, and the bytes are given back. Call the
   * returned function with what the reader has taken.
   */
  readUntil(giveUp: () => void): (bytes: number) => void;
  /** Gives the bytes back; once is enough. */
  release(): void;
}

interface AnswerMemoryOptions {
  readonly mostBytes?: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/** What all large answers may hold until they are read: 40 of the largest set that is known. */
const usualBytes = 300 * 1024 * 1024;

/** While there is no room, a reader must take 64 KiB per second, over so many milliseconds. */
const judgedMs = 10_000;
const leastPerMs = (64 * 1024) / 1_000;

/** Makes the account of a process. */
export function createAnswerMemory({
  mostBytes = usualBytes,
  now = performanceNow,
}: AnswerMemoryOptions = {}): AnswerMemory {
  let used = 0;
  const readers = new Set<Reader>();
  const makeRoom = (bytes: number) => {
    const slow = [...readers].filter((one) => one.perMs() < leastPerMs).sort((a, b) => a.perMs() - b.perMs());
    for (const reader of slow) {
      if (used + bytes <= mostBytes) return;
      reader.giveUp();
    }
  };
  return {
    take(bytes) {
      if (used + bytes > mostBytes) makeRoom(bytes);
      if (used + bytes > mostBytes) {
        throw new ServiceError('unavailable', 'Too many large answers wait for their clients');
      }
      used += bytes;
      let reader: Reader | undefined;
      let isHeld = true;
      const release = () => {
        if (isHeld) used -= bytes;
        isHeld = false;
        if (reader !== undefined) readers.delete(reader);
      };
      return {
        release,
        readUntil(giveUp) {
          const { noteRead, perMs } = readingRate(now);
          reader = {
            perMs,
            giveUp() {
              release();
              giveUp();
            },
          };
          readers.add(reader);
          return noteRead;
        },
      };
    },
  };
}

/** A reader that can be given up. */
interface Reader {
  /** Bytes that it takes in a millisecond; infinite while it is too early to tell. */
  perMs(): number;
  giveUp(): void;
}

const performanceNow = () => performance.now();

/** How fast a reader was in the newest period that was long enough. */
function readingRate(now: () => number): Pick<Reader, 'perMs'> & { noteRead(bytes: number): void } {
  let began = now();
  let read = 0;
  let last = Number.POSITIVE_INFINITY;
  const perMs = () => (now() - began < judgedMs ? last : read / (now() - began));
  return {
    perMs,
    noteRead(bytes) {
      read += bytes;
      if (now() - began < judgedMs) return;
      last = perMs();
      began = now();
      read = 0;
    },
  };
}
