import { type OperationCode, operations } from './codes.js';
import {
  columnsOf,
  type Db,
  keyColumns,
  type ObjectRow,
  objectColumnsWith,
  pageLimits,
  type StoredObject,
  storedObject,
} from './stored-object.js';

/** One entry of the change feed. */
export interface StoredChange {
  readonly serial: bigint;
  readonly operation: OperationCode;
  readonly instant: Date;
  /** The announced state; for a deletion the last state before it. */
  readonly stored: StoredObject;
}

/** A row without a change has only the newest serial of the source, and which changes are stored. */
interface SourceRow {
  newest: bigint;
  /** Whether the change that follows `after` is stored. */
  next_is_kept: boolean;
  change_serial: bigint | null;
}

interface ChangeRow extends SourceRow, ObjectRow {
  change_serial: bigint;
  operation: OperationCode;
  change_revision: number;
  instant: Date;
  /** Number of changes, including those that do not fit into the page; at most `pageLimits.objects`. */
  candidates: bigint;
  version_serial: bigint | null;
  version_created: Date | null;
  version_instant: Date | null;
}

/** A part of the feed. It and earlier parts contain every change up to `serial`. */
export interface ChangePage {
  readonly changes: readonly StoredChange[];
  readonly serial: bigint;
}

/** A reader with more changes before it is far behind. */
export const farBehind = 10_000n;

/** A page, with more details for this process. */
interface ReadPage extends ChangePage {
  /** The newest serial of the source. */
  readonly newest: bigint;
  /** Whether no change beyond the page was committed. */
  readonly isLast: boolean;
  /** False when changes before the first one were removed because of their age. */
  readonly isComplete: boolean;
}

/**
 * Reads a page (`pageLimits`) of the committed changes with serials from `after + 1` on, in order: one statement.
 * `latestOnly` omits changes of objects that have a newer change, which follows later.
 */
export async function readChanges(
  db: Db,
  sourceId: number,
  part: { readonly after: bigint; readonly latestOnly: boolean },
): Promise<ReadPage> {
  const { rows } = await db.query<SourceRow | ChangeRow>({
    name: part.latestOnly ? 'read-latest-changes' : 'read-changes',
    // "offset 0" makes the planner scan by serial, which can stop at the limit. The length of a large text is known
    // without reading it. Serials have no gaps, so the change that follows is stored or was removed.
    text: `select newest.serial as newest,
             exists (select from change where source_id = newest.id and serial = $2::bigint + 1) as next_is_kept,
             ${objectColumnsWith('coalesce(o.version_text, o.text)')}, o.change_serial,
             o.operation, o.change_revision, o.instant, o.candidates, o.version_serial, o.version_created,
             o.version_instant
           from source newest
           left join lateral (
             select *, count(*) over () as candidates, sum(bytes) over (order by change_serial rows unbounded preceding) as total
             from (
               select o.*, c.serial as change_serial, c.operation, c.revision as change_revision, c.instant,
                 v.text as version_text, v.serial as version_serial, v.created as version_created,
                 v.instant as version_instant, octet_length(coalesce(v.text, o.text)) as bytes
               from (select * from change where source_id = newest.id and serial > $2 and serial <= newest.serial order by serial offset 0) c
               cross join lateral (
                 select * from object where source_id = c.source_id and type = c.type and key = c.key
                   ${part.latestOnly ? 'and announced = c.serial' : ''} offset 0
               ) o
               left join lateral (
                 select * from version where source_id = c.source_id and type = c.type and key = c.key
                   and revision = c.revision and revision <> o.revision offset 0
               ) v on true
               order by c.serial limit ${pageLimits.objects}
             ) next
           ) o on o.total <= ${pageLimits.bytes} or o.total = o.bytes
           where newest.id = $1
           order by o.change_serial`,
    values: [sourceId, part.after],
  });
  const found = rows.filter(isChange);
  const { newest, next_is_kept: hasNext } = rows[0]!;
  const changes = found.map(asChange);
  const candidates = found.length === 0 ? 0 : Number(found[0]!.candidates);
  const isLast = candidates < pageLimits.objects && changes.length === candidates;
  const hasNews = newest > part.after;
  const isComplete = hasNext || !hasNews;
  if (!isLast) return { changes, serial: changes.at(-1)!.serial, newest, isLast, isComplete };
  return { changes, serial: hasNews ? newest : part.after, newest, isLast, isComplete };
}

function isChange(row: SourceRow | ChangeRow): row is ChangeRow {
  return row.change_serial !== null;
}

function asChange(row: ChangeRow): StoredChange {
  const { change_serial: serial, operation, instant } = row;
  const current = storedObject(row);
  if (row.version_serial === null) return { serial, operation, instant, stored: current };
  const stored: StoredObject = {
    ...current,
    revision: row.change_revision,
    serial: row.version_serial,
    deleted: operation === operations.delete,
    created: row.version_created ?? undefined,
    modified: row.version_instant ?? instant,
  };
  return { serial, operation, instant, stored };
}

/** The state of an object before a change. */
export interface PreviousState {
  /** The operation that stored it. */
  readonly operation: OperationCode;
  /** Absent when it is larger than `maxPreviousText`, or erased. */
  readonly text: string | undefined;
}

/** Bytes. A page of changes may have 500 previous states, which its limit on text does not count. */
const maxPreviousText = 16 * 1024;

interface PreviousRow {
  position: bigint;
  operation: OperationCode;
  text: string | null;
}

/** The states before those changes of a source that stored another state of an object: one statement. */
export async function previousStates(
  db: Db,
  sourceId: number,
  changes: readonly StoredChange[],
): Promise<ReadonlyMap<StoredChange, PreviousState>> {
  const requested = changes.filter(
    (change) => change.operation === operations.update && change.stored.revision > 1 && !isOfTags(change),
  );
  if (requested.length === 0) return new Map();
  const states = requested.map(({ stored }) => stored);
  const { rows } = await db.query<PreviousRow>({
    name: 'previous-states',
    text: `select asked.position, v.operation, case when octet_length(v.text) between 1 and ${maxPreviousText} then v.text end as text
           from unnest($2::smallint[], $3::text[], $4::integer[]) with ordinality asked (type, key, revision, position)
           cross join lateral (
             select operation, text from version
             where source_id = $1 and type = asked.type and key = asked.key and revision < asked.revision
             order by revision desc limit 1
           ) v`,
    values: [sourceId, ...keyColumns(states), ...columnsOf(states, 'revision')],
  });
  return new Map(
    rows.map(({ position, operation, text }) => [
      requested[Number(position) - 1]!,
      { operation, text: text ?? undefined },
    ]),
  );
}

/** Whether a change modified only the tags of an object: the state that it announces is older. */
export function isOfTags({ serial, stored }: StoredChange): boolean {
  return stored.serial !== serial;
}
