import { LRUCache } from 'lru-cache';

/**
 * A map of the `max` most recently used entries. It grows with its entries: with `max`, the library would reserve
 * memory for all of them immediately.
 */
export function createLastUsed<V extends {}>(max: number): LRUCache<string, V> {
  return new LRUCache<string, V>({ maxSize: max, sizeCalculation: () => 1 });
}
