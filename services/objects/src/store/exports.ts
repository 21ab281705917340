import type { ObjectTypeName } from '@cadastre/rpsl';
import { type Db, type ObjectRow, objectColumns, type StoredObject, storedObject } from './stored-object.js';
import { typeCodes } from './type-codes.js';

/** The next objects of a type after a key, in the order of their keys; '' is before the first. */
export async function objectsAfter(
  db: Db,
  sourceId: number,
  type: ObjectTypeName,
  after: string,
  limit: number,
): Promise<StoredObject[]> {
  const { rows } = await db.query<ObjectRow>({
    name: 'objects-after',
    text: `select ${objectColumns} from object o
           where o.source_id = $1 and o.type = $2 and o.key > $3 collate "C" and not o.deleted
           order by o.key limit $4`,
    values: [sourceId, typeCodes[type], after, limit],
  });
  return rows.map(storedObject);
}
