import type { Beginning, IndexedObject } from '../index-port.js';
import type { Order } from './clauses.js';
import { objectsOf } from './load-documents.js';
import { documentId } from './names.js';
import type { Reader } from './pages.js';
import { type Hit, searchManyHits } from './search-hits.js';

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
