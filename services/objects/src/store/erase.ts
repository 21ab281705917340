import { typeCodes } from './codes.js';
import type { Db, ObjectId } from './stored-object.js';

/** What an operator erases, for the record. */
interface Erasure {
  /** The highest revision that loses its text. */
  readonly lastRevision: number;
  readonly instant: Date;
  readonly erasedBy: string;
  readonly reason: string;
}

/** The amount of erased data. */
interface Erased {
  /** Versions that had a text. */
  readonly versions: number;
  /** Notices with the reason of a deletion, or with the text that a refused change wanted to store. */
  readonly notices: number;
}

/** Erases the texts of an object in notices, and returns in how many. Reads all notices. */
export async function eraseNotices(db: Db, id: ObjectId): Promise<number> {
  const { rowCount } = await db.query({
    name: 'erase-notices',
    text: `with rest as (
             select id, (
               select jsonb_agg(
                 case when change @> $2::jsonb then change - 'wanted' || '{"reason": ""}' else change end order by position
               )
               from jsonb_array_elements(changes) with ordinality as one (change, position)
             ) as changes
             from notice where source_id = $1 and changes @> jsonb_build_array($2::jsonb)
           )
           update notice n set changes = rest.changes from rest where n.id = rest.id and n.changes <> rest.changes`,
    values: [id.sourceId, JSON.stringify({ type: id.type, key: id.key })],
  });
  return rowCount ?? 0;
}

/**
 * Erases the former texts of an object, and records that; does not erase the current text of an existing object. An
 * erased text is empty, which no object is. Needs a transaction with the row of the source.
 */
export async function eraseHistory(
  db: Db,
  id: ObjectId,
  { lastRevision, instant, erasedBy, reason }: Erasure,
  notices: number,
): Promise<Erased> {
  const { rows } = await db.query<Erased>({
    name: 'erase-history',
    text: `with superseded as (
             update version set text = '', reason = case when reason <> '' then '' else reason end
             where source_id = $1 and type = $2 and key = $3 and revision <= $4 and (text <> '' or reason <> '')
             returning 1
           ), deleted as (
             update object set text = ''
             where source_id = $1 and type = $2 and key = $3 and revision <= $4 and deleted and text <> ''
           )
           insert into erasure
             (source_id, type, key, last_revision, versions, notices, instant, erased_by, reason)
           select $1, $2, $3, $4, (select count(*) from superseded), $5, $6, $7, $8
           returning versions, notices`,
    values: [id.sourceId, typeCodes[id.type], id.key, lastRevision, notices, instant, erasedBy, reason],
  });
  return rows[0]!;
}
