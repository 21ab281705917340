import type { IndexedObject, ObjectId } from '../index-port.js';
import type { Reader } from './reader.js';
import { indexedObject, type ObjectRow, objectColumns } from './rows.js';

const maximalKeys = 1000;

/** Objects by their keys, in the order asked. */
export async function loadObjects(reader: Reader, ids: readonly ObjectId[]): Promise<(IndexedObject | undefined)[]> {
  const found = new Map<string, IndexedObject>();
  for (const [source, group] of Map.groupBy(ids, (id) => id.source)) {
    for (let at = 0; at < group.length; at += maximalKeys) {
      const objects = await loadFrom(reader, source, group.slice(at, at + maximalKeys));
      for (const object of objects) found.set(nameOf(object), object);
    }
  }
  return ids.map((id) => found.get(nameOf(id)));
}

async function loadFrom(reader: Reader, source: string, ids: readonly ObjectId[]): Promise<IndexedObject[]> {
  const rows = await reader.rows<ObjectRow>(source, {
    plannedOnce: true,
    text: (tables) => `
      select ${objectColumns} from ${tables.document} d
      where (d.type, d.key) in (select * from unnest($1::text[], $2::text[]))`,
    values: [ids.map((id) => id.type), ids.map((id) => id.key)],
  });
  return rows.map((row) => indexedObject(source, row));
}

function nameOf({ source, type, key }: ObjectId): string {
  return `${source}\n${type}\n${key}`;
}
