import type { Compared, ListFilter } from './index-port.js';

/** Whether all words of a filter are in an object. `name`: its name or description; empty without one. */
export function hasWords({ words }: ListFilter, { type, key }: Compared, name: string): boolean {
  const text = `${type} ${key} ${name}`;
  return words.every((word) => text.includes(word));
}
