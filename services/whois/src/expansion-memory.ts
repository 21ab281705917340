import type { AnswerMemory, MemoryShare } from '@cadastre/service';

/** Memory of one expansion and its answer. */
export type ExpansionMemory = ReturnType<typeof createExpansionMemory>;

/** An expansion reserves small amounts often. */
const shareBytes = 64 * 1024;

/** Makes the memory of an expansion of a client. */
export function createExpansionMemory(memory: AnswerMemory, client: string) {
  const shares: MemoryShare[] = [];
  let left = 0;
  const release = () => {
    left = 0;
    for (const share of shares.splice(0)) share.release();
  };
  return {
    release,
    /** Reserves bytes before they are needed; throws like `AnswerMemory.take`. */
    hold(bytes: number): void {
      if (bytes > left) {
        const more = Math.max(bytes - left, shareBytes);
        shares.push(memory.take(client, more));
        left += more;
      }
      left -= bytes;
    },
    /** Like `MemoryShare.readUntil`, for all of it. */
    readUntil(close: () => void): (bytes: number) => void {
      const noteRead = shares[0]?.readUntil(() => {
        release();
        close();
      });
      return (bytes) => noteRead?.(bytes);
    },
  };
}
