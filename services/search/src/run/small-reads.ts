import type { IndexedObject, IndexReads } from '../index-port.js';
import { mapped } from './pages.js';

/** Characters of texts that a search may read without a place for a large page. */
export const smallCharacters = 64 * 1024;

/** Thrown by a read that makes a search large. */
export class LargeSearchError extends Error {}

/** The index for a search that reads few texts: a read that exceeds them fails, and its texts are released. */
export function smallReads(index: IndexReads): IndexReads {
  let left = smallCharacters;
  const count = (objects: readonly IndexedObject[]) => {
    for (const { text } of objects) left -= text.length;
    if (left < 0) throw new LargeSearchError('The search needs a place for large pages');
    return objects;
  };
  return {
    ...index,
    async query(...question) {
      const matches = await index.query(...question);
      return matches && { ...matches, pages: mapped(matches.pages, count) };
    },
    async load(ids) {
      const loaded = await index.load(ids);
      count(loaded.objects);
      return loaded;
    },
  };
}
