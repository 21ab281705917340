import type { KeyQuestion } from '../index-port.js';
import { allOf, anyOf, type Order, ofType } from './clauses.js';
import type { Reader } from './pages.js';
import { type Hit, searchHits } from './search-hits.js';

const byKeyAndType: Order = [{ key: 'asc' }, { type: 'asc' }];

/** A response has at most so many hits. */
const maxHits = 5_000;

/** The keys of the matches of each question, at most `most` in all: by requests that return no texts. */
export async function keysWith(
  { cluster, alias, signal }: Reader,
  questions: readonly KeyQuestion[],
  most: number,
): Promise<string[][]> {
  const clauses = questions.map(({ type, terms }) =>
    allOf([ofType(type), ...terms.map((term) => ({ term: { terms: term } }))]),
  );
  const keys = questions.map((): string[] => []);
  let left = most;
  let last: Hit | undefined;
  do {
    const size = Math.min(left, maxHits);
    const search = { alias, filter: [anyOf(clauses)], order: byKeyAndType, size, documents: true, fields };
    const hits = await searchHits(cluster, { ...search, ...(last && { after: last.sort }) }, signal);
    for (const { _source: stored } of hits) {
      const has = new Set(stored!.terms);
      questions.forEach(({ type, terms }, at) => {
        if (left === 0 || stored!.type !== type || !terms.every((term) => has.has(term))) return;
        keys[at]!.push(stored!.key);
        left--;
      });
    }
    last = hits.length === size ? hits.at(-1) : undefined;
  } while (last && left > 0);
  return keys;
}

const fields = ['type', 'key', 'terms'] as const;
