import { type InverseQuery, neededBy } from '../index-port.js';
import { anyOf, matching } from './clauses.js';
import { searchIn } from './cluster.js';
import { knownObjects } from './load-documents.js';
import type { Reader } from './pages.js';

interface Answer {
  readonly aggregations: { readonly types: { readonly buckets: readonly { key: string; doc_count: number }[] } };
}

/** Counts the matches of each query, by one request after one that looks for the object that they need. */
export async function countByType(reader: Reader, queries: readonly InverseQuery[]): Promise<number[]> {
  const none = queries.map(() => 0);
  const needed = neededBy(queries);
  if (needed !== undefined && !(await knownObjects(reader, needed)).includes(true)) return none;
  const answer = await searchIn<Answer>(reader, {
    size: 0,
    track_total_hits: false,
    query: { bool: { filter: [anyOf(queries.map(matching))] } },
    aggs: { types: { terms: { field: 'type', size: Math.max(queries.length, 1) } } },
  });
  if (answer === undefined) return none;
  const counts = new Map(answer.aggregations.types.buckets.map((bucket) => [bucket.key, bucket.doc_count]));
  return queries.map(({ type }) => counts.get(type) ?? 0);
}
