import { operations, typeCodes, typeOfCode } from './codes.js';
import { type Db, idColumns, type ObjectId, type StoredObject, type StoredTag } from './stored-object.js';

/** A tag on an object. */
export interface TagOfObject extends ObjectId {
  readonly tag: StoredTag;
}

/** Which tags to list. */
interface WantedTags {
  readonly sourceIds: readonly number[];
  /** Only those with this identifier. */
  readonly tagId: string | undefined;
  /** Only those after this one. */
  readonly after: TagOfObject | undefined;
  readonly limit: number;
}

/** Adds a tag to objects, or replaces its data. A trigger copies the tags to the rows of the objects. */
export async function putTag(db: Db, ids: readonly ObjectId[], tag: StoredTag): Promise<void> {
  await db.query(
    `insert into tag (source_id, type, key, id, data)
     select source_id, type, key, $4, $5 from unnest($1::smallint[], $2::smallint[], $3::text[]) as one (source_id, type, key)
     on conflict (source_id, type, key, id) do update set data = excluded.data`,
    [...idColumns(ids), tag.id, tag.data],
  );
}

/** Removes a tag from objects. */
export async function removeTag(db: Db, ids: readonly ObjectId[], tagId: string): Promise<void> {
  await db.query(
    `delete from tag t using unnest($1::smallint[], $2::smallint[], $3::text[]) as one (source_id, type, key)
     where t.source_id = one.source_id and t.type = one.type and t.key = one.key collate "C" and t.id = $4`,
    [...idColumns(ids), tagId],
  );
}

/** Tags in the order of their objects, then of their identifiers. */
export async function listTags(db: Db, { sourceIds, tagId, after, limit }: WantedTags): Promise<TagOfObject[]> {
  const position = after ? [after.sourceId, typeCodes[after.type], after.key, after.tag.id] : [0, 0, '', ''];
  const { rows } = await db.query<StoredTag & { source_id: number; type: number; key: string }>(
    `select source_id, type, key, id, data from tag
     where (source_id, type, key, id) > ($3, $4, $5, $6) and source_id = any($1) and ($2::text is null or id = $2)
     order by source_id, type, key, id limit $7`,
    [sourceIds, tagId ?? null, ...position, limit],
  );
  return rows.map(({ source_id: sourceId, type, key, id, data }) => {
    return { sourceId, type: typeOfCode(type), key, tag: { id, data } };
  });
}

/** Announces objects again in the change feed, with serials from `firstSerial` on (`takeSerials`). */
export async function announceAgain(
  db: Db,
  objects: readonly StoredObject[],
  firstSerial: bigint,
  instant: Date,
): Promise<void> {
  await db.query(
    `with announced as (
       update object o set announced = $4 + one.position - 1
       from unnest($1::smallint[], $2::smallint[], $3::text[]) with ordinality as one (source_id, type, key, position)
       where o.source_id = one.source_id and o.type = one.type and o.key = one.key collate "C"
       returning o.source_id, o.type, o.key, o.revision, o.announced
     )
     insert into change (source_id, type, key, revision, serial, operation, instant, locks)
     select source_id, type, key, revision, announced, ${operations.update}, $5, '{}' from announced`,
    [...idColumns(objects), firstSerial, instant],
  );
}
