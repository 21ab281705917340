import type { ObjectTypeName } from '@cadastre/rpsl';
import { operations, typeCodes } from './codes.js';
import {
  type Db,
  type ObjectRow,
  objectColumns,
  pageLimits,
  type StoredObject,
  storedObject,
} from './stored-object.js';

/** A page (`pageLimits`) of an export. */
export interface ExportPage {
  readonly objects: readonly StoredObject[];
  /** The key after which the next page begins; absent when there is none. */
  readonly last: string | undefined;
}

/** The next page of the objects of a type after a key, in key order; '' starts at the first. */
export async function objectsAfter(db: Db, sourceId: number, type: ObjectTypeName, after: string): Promise<ExportPage> {
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
  return { objects: rows.map(storedObject), last: rows.at(-1)?.key };
}

/**
 * The same as of a serial, without tags and erased texts. The pages of one serial together are one state of the source,
 * although each is a statement of its own: later writes have later serials, and `version` has the state before. After
 * each page of a copy, check that it still has the states of the serial.
 */
export async function objectsAsOfAfter(
  db: Db,
  sourceId: number,
  type: ObjectTypeName,
  after: string,
  serial: bigint,
): Promise<ExportPage> {
  const { rows } = await db.query<Omit<ObjectRow, 'text'> & { text: string | null }>({
    name: 'objects-as-of-after',
    text: `select source_id, type, key, revision, serial, deleted, created, modified, text, null as tags
           from (
             select *, octet_length(text) as bytes, sum(octet_length(text)) over (order by key rows unbounded preceding) as total
             from (
               select o.source_id, o.type, o.key, false as deleted, coalesce(v.revision, o.revision) as revision,
                 coalesce(v.serial, o.serial) as serial, coalesce(v.instant, o.modified) as modified,
                 case when v.revision is null then o.created else v.created end as created,
                 case when o.serial > $4 then v.text when not o.deleted then o.text end as text
               from (
                 select * from object where source_id = $1 and type = $2 and key > $3 collate "C"
                 order by key limit ${pageLimits.objects}
               ) o
               left join lateral (
                 select revision, serial, created, instant, case operation when ${operations.update} then text end as text
                 from version
                 where o.serial > $4 and source_id = $1 and type = $2 and key = o.key and serial <= $4
                 order by revision desc limit 1
               ) v on true
             ) state
           ) sized
           where coalesce(total, 0) <= ${pageLimits.bytes} or total = bytes
           order by key`,
    values: [sourceId, typeCodes[type], after, serial],
  });
  const objects = rows.filter((row): row is ObjectRow => Boolean(row.text)).map(storedObject);
  return { objects, last: rows.at(-1)?.key };
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
