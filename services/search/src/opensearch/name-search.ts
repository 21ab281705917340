import { maxCounted, type NamedLike, type NameMatches, type NamePattern, type NameQuery } from '../index-port.js';
import type { Clause, Order } from './clauses.js';
import { type SearchPlace, searchIn } from './cluster.js';
import { objectsOf } from './load-documents.js';
import type { Reader } from './pages.js';
import { type Hit, searchHits } from './search-hits.js';

const byName: Order = [{ called: 'asc' }, { key: 'asc' }, { type: 'asc' }];
const byKey: Order = [{ key: 'asc' }, { type: 'asc' }];

/** A page of the objects whose name or key matches a pattern (`SearchIndex.searchNames`), by one request. */
export async function searchNames(reader: Reader, query: NameQuery): Promise<Omit<NameMatches, 'serial'>> {
  const { limit, after } = query;
  const isByKey = query.field === 'key';
  const hits = await searchHits(reader, {
    filter: matching(query),
    order: isByKey ? byKey : byName,
    size: limit + 1,
    documents: true,
    ...(after && { after: isByKey ? [after.key, after.type] : [after.text, after.key, after.type] }),
  });
  const page = hits.slice(0, limit);
  const last = page.at(-1);
  return {
    pages: objectsOf(
      reader,
      page.map((hit) => hit._source!),
    ),
    next: hits.length > page.length && last ? placeOf(last) : undefined,
  };
}

function placeOf({ sort: [text], _source }: Hit): NameMatches['next'] {
  const { key, type } = _source!;
  return { text: text!, key, type };
}

/** The number of objects whose name or key matches a pattern (`SearchIndex.countNames`), by one request. */
export async function countNames(place: SearchPlace, named: NamedLike): Promise<number | undefined> {
  const body = { size: 0, query: { bool: { filter: matching(named) } }, track_total_hits: maxCounted };
  const answer = await searchIn<{ hits: { total: { value: number; relation: 'eq' | 'gte' } } }>(place, body);
  if (answer === undefined) return undefined;
  const { value, relation } = answer.hits.total;
  return relation === 'eq' ? value : undefined;
}

function matching({ field, pattern, types }: NamedLike): Clause[] {
  return [{ terms: { type: types } }, havingPattern(field === 'key' ? 'key' : 'called', pattern)];
}

function havingPattern(field: string, { prefix, text }: NamePattern): Clause {
  if (text === prefix) return { term: { [field]: text } };
  if (text === `${prefix}*`) return { prefix: { [field]: prefix } };
  return { wildcard: { [field]: { value: text.replaceAll('\\', '\\\\') } } };
}
