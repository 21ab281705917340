import type { AnswerMemory, MemoryShare } from '@cadastre/service';

/** Memory of one expansion and its answer. */
export interface ExpansionMemory {
  /** Reserves bytes before they are needed; throws like `AnswerMemory.take`. */
  hold(bytes: number): void;
  /** Like `MemoryShare.readUntil`, for all of it. */
  readUntil(close: () => void): (bytes: number) => void;
  release(): void;
}

/** An expansion reserves small amounts often. */
const shareBytes = 64 * 1024;

/** Makes the memory of an expansion of a client. */
export function createExpansionMemory(memory: AnswerMemory, client: string): ExpansionMemory {
  const shares: MemoryShare[] = [];
  let left = 0;
  const release = () => {
    left = 0;
    for (const share of shares.splice(0)) share.release();
  };
  return {
    release,
    hold(bytes) {
      if (bytes > left) {
        const more = Math.max(bytes - left, shareBytes);
        shares.push(memory.take(client, more));
        left += more;
      }
      left -= bytes;
    },
    readUntil(close) {
      const noteRead = shares[0]?.readUntil(() => {
        release();
        close();
      });
      return (bytes) => noteRead?.(bytes);
    },
  };
}
