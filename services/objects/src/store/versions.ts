import { type OperationCode, operations } from './operations.js';
import type { Db, ObjectId, StoredObject } from './stored-object.js';
import { typeCodes } from './type-codes.js';

/** One entry of an object's history. */
export interface VersionEntry {
  readonly revision: number;
  readonly serial: bigint;
  readonly operation: OperationCode;
  readonly instant: Date;
}

/** The complete history of a key, oldest first, with deletions and the current state; empty if it never existed. */
export async function listVersions(db: Db, id: ObjectId): Promise<VersionEntry[]> {
  const { rows } = await db.query<VersionEntry>({
    name: 'list-versions',
    text: `select revision, serial, operation, instant from version where source_id = $1 and type = $2 and key = $3
           union all
           select revision, serial, ${operations.update}::smallint, modified from object
           where source_id = $1 and type = $2 and key = $3 and not deleted
           order by revision`,
    values: [id.sourceId, typeCodes[id.type], id.key],
  });
  return rows;
}

interface VersionRow {
  serial: bigint;
  created: Date | null;
  instant: Date;
  text: string;
  current: boolean;
}

/** One state of an object, without tags; undefined when there is no such revision or it is a deletion. */
export async function getVersion(
  db: Db,
  id: ObjectId,
  revision: number,
): Promise<{ stored: StoredObject; current: boolean } | undefined> {
  const { rows } = await db.query<VersionRow>({
    name: 'get-version',
    text: `select serial, created, instant, text, false as current from version
           where source_id = $1 and type = $2 and key = $3 and revision = $4 and operation = ${operations.update}
           union all
           select serial, created, modified, text, true from object
           where source_id = $1 and type = $2 and key = $3 and revision = $4 and not deleted`,
    values: [id.sourceId, typeCodes[id.type], id.key, revision],
  });
  const row = rows[0];
  if (row === undefined) return undefined;
  const { serial, instant: modified, text, current } = row;
  const created = row.created ?? undefined;
  return { stored: { ...id, revision, serial, deleted: false, created, modified, text, tags: [] }, current };
}
