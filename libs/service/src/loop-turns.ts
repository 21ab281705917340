/** Items that wait, of each owner in its turn. */
export interface FairQueue<T> {
  add(owner: string, item: T): void;
  /** Removes the first item of the owner whose turn it is; undefined without items. */
  take(): T | undefined;
  isEmpty(): boolean;
  /** Number of owners that wait. */
  owners(): number;
}

/** Makes an empty queue. */
export function createFairQueue<T>(): FairQueue<T> {
  /** In the order of their turns. */
  const waiting = new Map<string, T[]>();
  return {
    add(owner, item) {
      const items = waiting.get(owner);
      if (items === undefined) waiting.set(owner, [item]);
      else items.push(item);
    },
    take() {
      for (const [owner, items] of waiting) {
        const first = items.shift();
        waiting.delete(owner);
        if (items.length > 0) waiting.set(owner, items);
        return first;
      }
      return undefined;
    },
    isEmpty: () => waiting.size === 0,
    owners: () => waiting.size,
  };
}

/** Shares the processor: long work runs in parts, few in each turn of the event loop. */
export type LoopTurns = ReturnType<typeof createLoopTurns>;

/** Makes the turns of a process. In a turn of the event loop one part runs; with `everyOwner`, one of each owner. */
export function createLoopTurns({ everyOwner = false } = {}) {
  const waiting = createFairQueue<() => void>();
  const give = () => {
    for (let parts = everyOwner ? waiting.owners() : 1; parts > 0; parts--) waiting.take()?.();
    if (!waiting.isEmpty()) setImmediate(give);
  };
  return {
    /** Waits for a turn among all long work: each owner, such as a network, has its turn, however much work it has. */
    next: (owner: string): Promise<void> =>
      new Promise((resolve) => {
        if (waiting.isEmpty()) setImmediate(give);
        waiting.add(owner, resolve);
      }),
  };
}
