import type { ObjectTypeName } from '@cadastre/rpsl';
import { type OperationCode, operations, typeCodes } from './codes.js';
import { columnsOf, type Db, keyColumns, type ObjectId, type StoredObject } from './stored-object.js';

/** One entry of an object's history. */
interface VersionEntry {
  readonly revision: number;
  readonly serial: bigint;
  readonly operation: OperationCode;
  readonly instant: Date;
  /** Of a deletion, its first 500 characters; empty without one. */
  readonly reason: string;
}

/** Bounds a list of versions: an object may be deleted often. Clients without a reason send "--". */
const shownReason = `case when operation = ${operations.delete} and reason <> '--' then left(reason, 500) else '' end`;

export const maxRevision = 2 ** 31 - 1;
const maxSerial = 2n ** 63n - 1n;

/** A part of a history. */
interface ListedVersions {
  /** Only the versions up to this serial; default: all. */
  readonly upTo?: bigint | undefined;
  /** Only those up to this revision, and the one after it; default: all. */
  readonly revision?: number | undefined;
  /** The newest ones. */
  readonly limit: number;
}

/** The history of a key, oldest first, with deletions and the current state; empty if it never existed. */
export async function listVersions(
  db: Db,
  id: ObjectId,
  { upTo = maxSerial, revision = maxRevision, limit }: ListedVersions,
): Promise<VersionEntry[]> {
  const ofKey = 'source_id = $1 and type = $2 and key = $3';
  const next = (table: string) =>
    `(select revision from ${table} where ${ofKey} and revision > $5 order by revision limit 1)`;
  const wanted = `${ofKey} and serial <= $4 and revision <= (select revision from bound)`;
  const { rows } = await db.query<VersionEntry>({
    name: 'list-versions',
    text: `with bound as materialized (
             select coalesce(least(${next('version')}, ${next('object')}), $5::integer) as revision
           )
           select revision, serial, operation, instant, ${shownReason} as reason from version where ${wanted}
           union all
           select revision, serial, ${operations.update}::smallint, modified, '' from object
           where ${wanted} and not deleted
           order by revision desc limit $6`,
    values: [id.sourceId, typeCodes[id.type], id.key, upTo, revision, limit],
  });
  return rows.reverse();
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

/** A state of an object that a write stored, or its deletion. */
interface RevisionId {
  readonly type: ObjectTypeName;
  /** Folded. */
  readonly key: string;
  readonly revision: number;
}

/** States by their revision, without tags; of a deletion the deleted state. Missing ones are undefined. */
export async function loadRevisions(
  db: Db,
  sourceId: number,
  wanted: readonly RevisionId[],
): Promise<(StoredObject | undefined)[]> {
  const { rows } = await db.query<VersionRow & { position: bigint; deleted: boolean }>({
    name: 'load-revisions',
    text: `select wanted.position, state.*
           from unnest($2::smallint[], $3::text[], $4::integer[]) with ordinality wanted (type, key, revision, position)
           cross join lateral (
             select serial, created, instant, text, operation = ${operations.delete} as deleted from version v
             where v.source_id = $1 and v.type = wanted.type and v.key = wanted.key collate "C"
               and v.revision = wanted.revision
             union all
             select serial, created, modified, text, false from object o
             where o.source_id = $1 and o.type = wanted.type and o.key = wanted.key collate "C"
               and o.revision = wanted.revision and not o.deleted
           ) state`,
    values: [sourceId, ...keyColumns(wanted), ...columnsOf(wanted, 'revision')],
  });
  const states = new Map(rows.map((row) => [Number(row.position) - 1, row]));
  return wanted.map(({ type, key, revision }, at) => {
    const row = states.get(at);
    if (row === undefined) return undefined;
    const { serial, created, instant: modified, text, deleted } = row;
    return { sourceId, type, key, revision, serial, deleted, created: created ?? undefined, modified, text, tags: [] };
  });
}
