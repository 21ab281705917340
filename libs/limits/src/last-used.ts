import { LRUCache } from 'lru-cache';

/**
 * A map of the entries that were used last, at most so many. It grows with its entries: with `max` the library reserves
 * memory for all of them at once.
 */
export function createLastUsed<V extends {}>(max: number): LRUCache<string, V> {
  return new LRUCache<string, V>({ maxSize: max, sizeCalculation: () => 1 });
}
