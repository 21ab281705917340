import { setImmediate as nextTurn } from 'node:timers/promises';
import { parseObject, type RpslObject } from '@cadastre/rpsl';
import type { IndexedObject } from '../index-port.js';

/** An object of a result. */
export interface Found {
  readonly stored: IndexedObject;
  readonly object: RpslObject;
  /** Found as related to another object. */
  readonly related: boolean;
  /** Left out because of its syntax: its text is not shown. */
  readonly leftOut?: true;
}

/** Undefined for a text that cannot be read, which the index does not contain. */
export function found(stored: IndexedObject, related: boolean): Found | undefined {
  const parsed = parseObject(stored.text);
  return parsed.ok ? { stored, object: parsed.object, related } : undefined;
}

/** Characters of an object that takes milliseconds to read. */
const largeCharacters = 32 * 1024;

/** What `read` makes of each object of the pages. Texts may be large: none of them is kept, and others go first. */
export async function readEach<T>(
  pages: AsyncIterable<readonly IndexedObject[]>,
  read: (one: Found) => T | undefined,
): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) {
    for (const stored of page) {
      if (stored.text.length > largeCharacters) await nextTurn();
      const one = found(stored, false);
      const made = one && read(one);
      if (made !== undefined) all.push(made);
    }
  }
  return all;
}
