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
