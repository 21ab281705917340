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

/** Only keys, and the serials at which their present states were written. */
export async function keysAfter(
  db: Db,
  sourceId: number,
  type: ObjectTypeName,
  after: string,
  limit: number,
): Promise<{ key: string; serial: bigint }[]> {
  const { rows } = await db.query<{ key: string; serial: bigint }>({
    name: 'keys-after',
    text: `select key, serial from object
           where source_id = $1 and type = $2 and key > $3 collate "C" and not deleted order by key limit $4`,
    values: [sourceId, typeCodes[type], after, limit],
  });
  return rows;
}

/** Whether the source has no objects, not even deleted ones. */
export async function isEmpty(db: Db, sourceId: number): Promise<boolean> {
  const { rows } = await db.query('select 1 from object where source_id = $1 limit 1', [sourceId]);
  return rows.length === 0;
}
