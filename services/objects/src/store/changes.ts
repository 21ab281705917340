import { type OperationCode, operations } from './operations.js';
import { type Db, type ObjectRow, objectColumns, type StoredObject, storedObject } from './stored-object.js';

/** One entry of the change feed. */
export interface StoredChange {
  readonly serial: bigint;
  readonly operation: OperationCode;
  readonly instant: Date;
  /** The state that was announced; for a deletion the last one before it. */
  readonly stored: StoredObject;
}

interface ChangeRow extends ObjectRow {
  change_serial: bigint;
  operation: OperationCode;
  change_revision: number;
  instant: Date;
  version_text: string | null;
  version_serial: bigint | null;
  version_created: Date | null;
  version_instant: Date | null;
}

/** A part of the feed, and how far it reaches: every change up to `serial` is in it or in earlier parts. */
export interface ChangePage {
  readonly changes: StoredChange[];
  readonly serial: bigint;
}

/**
 * Reads changes of the serials `after + 1` to `upTo` in order, at most `limit`; `upTo` is a serial that is known to be
 * committed (`currentSerial`). With `latestOnly` those are left out whose object has a newer change: it comes later.
 */
export async function readChanges(
  db: Db,
  sourceId: number,
  part: { readonly after: bigint; readonly upTo: bigint; readonly limit: number; readonly latestOnly: boolean },
): Promise<ChangePage> {
  const { rows } = await db.query<ChangeRow>({
    name: part.latestOnly ? 'read-latest-changes' : 'read-changes',
    // "offset 0" keeps the planner from any other way than along the serials, which can stop at the limit.
    text: `select c.serial as change_serial, c.operation, c.revision as change_revision, c.instant, ${objectColumns},
             v.text as version_text, v.serial as version_serial, v.created as version_created,
             v.instant as version_instant
           from (select * from change where source_id = $1 and serial > $2 and serial <= $3 order by serial offset 0) c
           cross join lateral (
             select * from object where source_id = c.source_id and type = c.type and key = c.key
               ${part.latestOnly ? 'and announced = c.serial' : ''} offset 0
           ) o
           left join lateral (
             select * from version where source_id = c.source_id and type = c.type and key = c.key
               and revision = c.revision and revision <> o.revision offset 0
           ) v on true
           order by c.serial limit $4`,
    values: [sourceId, part.after, part.upTo, part.limit],
  });
  const changes = rows.map(asChange);
  const complete = changes.length < part.limit;
  return { changes, serial: complete ? part.upTo : changes.at(-1)!.serial };
}

function asChange(row: ChangeRow): StoredChange {
  const { change_serial: serial, operation, instant } = row;
  const current = storedObject(row);
  if (row.version_text === null) return { serial, operation, instant, stored: current };
  const stored: StoredObject = {
    ...current,
    revision: row.change_revision,
    serial: row.version_serial ?? serial,
    deleted: operation === operations.delete,
    created: row.version_created ?? undefined,
    modified: row.version_instant ?? instant,
    text: row.version_text,
  };
  return { serial, operation, instant, stored };
}
