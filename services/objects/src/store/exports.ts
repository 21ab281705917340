import type { ObjectTypeName } from '@cadastre/rpsl';
import {
  type Db,
  type ObjectRow,
  objectColumns,
  pageLimits,
  type StoredObject,
  storedObject,
} from './stored-object.js';
import { typeCodes } from './type-codes.js';

/**
 * The next page (`pageLimits`) of the objects of a type after a key, in key order; '' starts at the first. Empty after
 * the last one.
 */
export async function objectsAfter(
  db: Db,
  sourceId: number,
  type: ObjectTypeName,
  after: string,
): Promise<StoredObject[]> {
  const { rows } = await db.query<ObjectRow>({
    name: 'objects-after',
    // The length of a large text is known without reading it.
    text: `select ${objectColumns}
           from (
             select *, octet_length(text) as bytes, sum(octet_length(text)) over (order by key rows unbounded preceding) as total
             from (
               select * from object
               where source_id = $1 and type = $2 and key > $3 collate "C" and not deleted
               order by key limit ${pageLimits.objects}
             ) next
           ) o
           where o.total <= ${pageLimits.bytes} or o.total = o.bytes
           order by o.key`,
    values: [sourceId, typeCodes[type], after],
  });
  return rows.map(storedObject);
}

/** Keys, and the serials of their current states. */
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
