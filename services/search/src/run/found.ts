import { parseObject, type RpslObject } from '@cadastre/rpsl';
import type { IndexedObject } from '../index-port.js';

/** An object of a result. */
export interface Found {
  readonly stored: IndexedObject;
  readonly object: RpslObject;
  /** Found as related to another object. */
  readonly related: boolean;
}

/** Undefined for a text that cannot be read, which the index does not contain. */
export function found(stored: IndexedObject, related: boolean): Found | undefined {
  const parsed = parseObject(stored.text);
  return parsed.ok ? { stored, object: parsed.object, related } : undefined;
}

/** What `read` makes of each object of the pages. Texts may be large: none of them is kept. */
export async function readEach<T>(
  pages: AsyncIterable<readonly IndexedObject[]>,
  read: (one: Found) => T | undefined,
): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) {
    for (const stored of page) {
      const one = found(stored, false);
      const made = one && read(one);
      if (made !== undefined) all.push(made);
    }
  }
  return all;
}
