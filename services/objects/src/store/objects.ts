import {
  type Db,
  type ObjectId,
  type ObjectRow,
  objectColumns,
  type StoredObject,
  storedObject,
} from './stored-object.js';
import { typeCodes } from './type-codes.js';

/**
 * Loads objects by key, answers in the order of the questions; duplicates are allowed. Deleted ones are returned with
 * `deleted: true`, those that never were as undefined.
 */
export async function loadObjects(db: Db, ids: readonly ObjectId[]): Promise<(StoredObject | undefined)[]> {
  const found = new Array<StoredObject | undefined>(ids.length).fill(undefined);
  if (ids.length === 0) return found;
  const { rows } = await db.query<ObjectRow & { position: bigint }>({
    name: 'load-objects',
    text: `select wanted.position, ${objectColumns}
           from unnest($1::smallint[], $2::smallint[], $3::text[]) with ordinality as wanted (source_id, type, key, position)
           join object o on o.source_id = wanted.source_id and o.type = wanted.type and o.key = wanted.key collate "C"`,
    values: [ids.map((id) => id.sourceId), ids.map((id) => typeCodes[id.type]), ids.map((id) => id.key)],
  });
  for (const row of rows) found[Number(row.position) - 1] = storedObject(row);
  return found;
}
