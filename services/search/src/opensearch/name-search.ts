import {
  type Beginning,
  type IndexedObject,
  maxCounted,
  type NamedLike,
  type NameMatches,
  type NamePattern,
  type NameQuery,
} from '../index-port.js';
import type { Clause, Order } from './clauses.js';
import { type SearchTarget, searchIn } from './cluster.js';
import { documentId } from './generations.js';
import { objectsOf } from './load-documents.js';
import { type Hit, type Reader, searchHits, searchManyHits } from './search-hits.js';

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
    next: hits.length > page.length && last ? positionOf(last) : undefined,
  };
}

function positionOf({ sort: [text], _source }: Hit): NameMatches['next'] {
  const { key, type } = _source!;
  return { text: text!, key, type };
}

/** The number of objects whose name or key matches a pattern (`SearchIndex.countNames`), by one request. */
export async function countNames(target: SearchTarget, named: NamedLike): Promise<number | undefined> {
  const body = { size: 0, query: { bool: { filter: matching(named) } }, track_total_hits: maxCounted };
  const answer = await searchIn<{ hits: { total: { value: number; relation: 'eq' | 'gte' } } }>(target, body);
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

/** The objects whose key or name has a given beginning (`SearchIndex.suggest`), by one request. */
export async function* suggest(
  reader: Reader,
  { key, name, limit }: Beginning,
): AsyncIterable<readonly IndexedObject[]> {
  const beginsSo = (field: 'key' | 'name', prefix: string, order: Order) => ({
    ...{ order, size: limit, documents: true },
    filter: [{ prefix: { [field]: prefix } }],
  });
  const found = await searchManyHits(reader, [
    beginsSo('key', key, [{ key: 'asc' }, { type: 'asc' }]),
    { ...beginsSo('name', name, [{ name: 'asc' }]), onePer: 'name' },
  ]);
  // A stored name ends with its type, and a line end sorts before all characters of names.
  const ordered = found.flat().sort((one, other) => (textOf(one) < textOf(other) ? -1 : 1));
  const objects = new Map(ordered.map((hit) => [documentId(hit._source!), hit._source!]));
  yield* objectsOf(reader, [...objects.values()].slice(0, limit));
}

/** The key or the name, followed by the type. */
function textOf({ sort: [text, type] }: Hit): string {
  return type === undefined ? text! : `${text}\n${type}`;
}
