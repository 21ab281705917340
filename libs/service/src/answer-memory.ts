import { ServiceError } from './errors.js';

/** The memory of the answers that a process holds until their clients have read them, in every dialect. */
export type AnswerMemory = ReturnType<typeof createAnswerMemory>;

/** Reserved bytes. */
export interface MemoryShare {
  /**
   * The reader begins to read the answer. `close` ends a reader that is too slow; its bytes are then released. Call the
   * returned function with the number of bytes that the reader has read.
   */
  readUntil(close: () => void): (bytes: number) => void;
  /** Releases the bytes; a second call does nothing. */
  release(): void;
}

interface AnswerMemoryOptions {
  /** Maximum bytes of all answers. */
  readonly maxBytes?: number;
  /** Maximum bytes of the answers to one client; a third of all by default. */
  readonly maxBytesPerClient?: number;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

const defaultBytes = 300 * 1024 * 1024;

/** A client that holds less than this may also use the last eighth: large answers do not take all of the memory. */
const smallBytes = 256 * 1024;

/** When memory is short, a reader must have read 64 KiB per second over this many milliseconds. */
const periodMs = 10_000;
const minBytesPerMs = (64 * 1024) / 1_000;

/** Makes the answer memory of a process. */
export function createAnswerMemory({
  maxBytes = defaultBytes,
  maxBytesPerClient = maxBytes / 3,
  now = () => performance.now(),
}: AnswerMemoryOptions = {}) {
  let used = 0;
  const usedBy = new Map<string, number>();
  const readers = new Set<Reader>();
  const change = (client: string, bytes: number) => {
    used += bytes;
    const own = (usedBy.get(client) ?? 0) + bytes;
    if (own === 0) usedBy.delete(client);
    else usedBy.set(client, own);
  };
  const closeSlow = (among: readonly Reader[], isEnough: () => boolean) => {
    const slow = among.filter((one) => one.bytesPerMs() < minBytesPerMs);
    slow.sort((a, b) => a.bytesPerMs() - b.bytesPerMs());
    for (const reader of slow) {
      if (isEnough()) return;
      reader.close();
    }
  };
  return {
    /**
     * Reserves bytes for an answer to a client. When too many are reserved, closes the slowest readers until enough are
     * free: readers of all clients, or only those of this client when it exceeds its own maximum. Throws a ServiceError
     * (unavailable) when the bytes are still not free.
     */
    take(client: string, bytes: number): MemoryShare {
      const ofClient = () => (usedBy.get(client) ?? 0) + bytes;
      const fitsClient = () => ofClient() <= maxBytesPerClient;
      const fits = () => used + bytes <= (ofClient() <= smallBytes ? maxBytes : maxBytes * (7 / 8));
      if (!fitsClient())
        closeSlow(
          [...readers].filter((one) => one.client === client),
          fitsClient,
        );
      if (!fitsClient()) throw new ServiceError('unavailable', 'Too many answers wait for this client to read them');
      if (!fits()) closeSlow([...readers], fits);
      if (!fits()) throw new ServiceError('unavailable', 'Too many large answers wait for their clients');
      change(client, bytes);
      let reader: Reader | undefined;
      let isHeld = true;
      const release = () => {
        if (!isHeld) return;
        isHeld = false;
        change(client, -bytes);
        if (reader !== undefined) readers.delete(reader);
      };
      return {
        release,
        readUntil(close) {
          const { noteRead, bytesPerMs } = readingRate(now);
          reader = {
            client,
            bytesPerMs,
            close() {
              release();
              close();
            },
          };
          if (isHeld) readers.add(reader);
          return noteRead;
        },
      };
    },
  };
}

/** A reader that may be closed. */
interface Reader {
  readonly client: string;
  /** Bytes that it reads in a millisecond; infinite until enough time has passed. */
  bytesPerMs(): number;
  close(): void;
}

/** The rate of a reader in the last complete period. */
function readingRate(now: () => number): Pick<Reader, 'bytesPerMs'> & { noteRead(bytes: number): void } {
  let began = now();
  let read = 0;
  let last = Number.POSITIVE_INFINITY;
  const bytesPerMs = () => (now() - began < periodMs ? last : read / (now() - began));
  return {
    bytesPerMs,
    noteRead(bytes) {
      read += bytes;
      if (now() - began < periodMs) return;
      last = bytesPerMs();
      began = now();
      read = 0;
    },
  };
}
