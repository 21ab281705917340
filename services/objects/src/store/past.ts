import { operations, typeCodes } from './codes.js';
import { columnsOf, type Db, idColumns, isErased, type ObjectId, type StoredObject } from './stored-object.js';

/** A moment in the history of a source (`Moment` of the contract): a serial, a time, or the newest change. */
export type Moment = { readonly serial: bigint } | { readonly instant: Date } | 'newest';

/** What the registry has of a moment of a source. */
type KnownMoment =
  | {
      readonly outcome: 'known';
      readonly serial: bigint;
      /** Whether `former_span` has every object that was deleted since. */
      readonly hasRanges: boolean;
    }
  /** It is in the future. */
  | { readonly outcome: 'ahead'; readonly newest: bigint }
  /** Its states, or its position among the serials, were removed. */
  | { readonly outcome: 'forgotten' };

/** The newest serial of a source, and the serial of a moment. */
interface MomentRow {
  newest: bigint;
  remembered_from: bigint;
  ranges_from: bigint;
  /** Null when the serial of a time is unknown. */
  as_of: bigint | null;
}

/** SQL for the columns of `MomentRow`, of expressions for a source, a serial and a time; the latter two may be null. */
function momentColumns(source: string, serial: string, instant: string): string {
  return `select s.serial as newest, s.remembered_from, s.ranges_from,
            coalesce(${serial}, case when ${instant} is null then s.serial else serial_at(s.id, ${instant}) end) as as_of
          from source s where s.id = ${source} offset 0`;
}

function knownMoment({ newest, as_of: serial, ...from }: MomentRow): KnownMoment {
  if (serial === null || serial < from.remembered_from) return { outcome: 'forgotten' };
  if (serial > newest) return { outcome: 'ahead', newest };
  return { outcome: 'known', serial, hasRanges: serial >= from.ranges_from };
}

/** The values of `serial` and `instant` for `momentColumns`. */
function momentValues(moment: Moment): { readonly serial: bigint | null; readonly instant: Date | null } {
  if (moment === 'newest') return { serial: null, instant: null };
  return 'serial' in moment ? { serial: moment.serial, instant: null } : { serial: null, instant: moment.instant };
}

/** Finds the serial of a moment. A time in the future has that of the newest change. */
export async function findMoment(db: Db, sourceId: number, moment: Moment): Promise<KnownMoment> {
  const { serial, instant } = momentValues(moment);
  const { rows } = await db.query<MomentRow>({
    name: 'find-moment',
    text: momentColumns('$1::smallint', '$2::bigint', '$3::timestamptz'),
    values: [sourceId, serial, instant],
  });
  return knownMoment(rows[0]!);
}

/**
 * SQL for the state of a key at a serial: `revision`, `serial`, `deleted`, `created`, `modified`, `text`; none before
 * its creation. The current state is in `object`, all others are in `version`, and both ascend by serial and revision.
 */
export function stateAt(key: { source: string; type: string; key: string }, serial: string): string {
  const isKey = `source_id = ${key.source} and type = ${key.type} and key = ${key.key}`;
  return `select * from (
            select revision, serial, deleted, created, modified, text from object where ${isKey} and serial <= ${serial}
            union all
            (
              select revision, serial, operation = ${operations.delete}, created, instant, text from version
              where ${isKey} and serial <= ${serial} order by revision desc limit 1
            )
          ) state order by revision desc limit 1`;
}

/** A question for the state of an object in the past. */
export interface PastQuestion {
  readonly id: ObjectId;
  readonly moment: Moment;
}

/** The state of an object at a moment of the past. */
export type PastState =
  | Exclude<KnownMoment, { outcome: 'known' }>
  | { readonly outcome: 'found'; readonly asOf: bigint; readonly stored: StoredObject }
  /** It does not fit into the answer. */
  | { readonly outcome: 'later' }
  /** It did not exist yet. */
  | { readonly outcome: 'absent'; readonly asOf: bigint }
  | { readonly outcome: 'deleted'; readonly asOf: bigint; readonly instant: Date }
  /** The operator erased its text (`erase.ts`). */
  | { readonly outcome: 'erased'; readonly asOf: bigint };

interface StateRow {
  revision: number;
  serial: bigint;
  deleted: boolean;
  created: Date | null;
  modified: Date;
  /** Null when it does not fit. */
  text: string | null;
}

type PastRow = MomentRow & { position: bigint } & (StateRow | { revision: null });

/**
 * The states of objects at moments, in the order of the questions: one statement. Texts have at most `bytes` together;
 * the first one always fits.
 */
export async function loadPast(db: Db, questions: readonly PastQuestion[], bytes: number): Promise<PastState[]> {
  if (questions.length === 0) return [];
  const moments = questions.map(({ moment }) => momentValues(moment));
  const { rows } = await db.query<PastRow>({
    name: 'load-past',
    text: `select position, newest, remembered_from, ranges_from, as_of, revision, serial, deleted, created, modified,
             case when total <= $6::bigint or total = bytes then text end as text
           from (
             select *, sum(bytes) over (order by position rows unbounded preceding) as total
             from (
               select wanted.position, m.*, state.*,
                 case when not state.deleted then octet_length(state.text) end as bytes
               from unnest($1::smallint[], $2::smallint[], $3::text[], $4::bigint[], $5::timestamptz[])
                 with ordinality as wanted (source_id, type, key, serial, instant, position)
               cross join lateral (${momentColumns('wanted.source_id', 'wanted.serial', 'wanted.instant')}) m
               left join lateral (${stateAt(wantedKey, 'm.as_of')}) state on true
             ) found
           ) sized`,
    values: [...idColumns(questions.map(({ id }) => id)), ...columnsOf(moments, 'serial', 'instant'), bytes],
  });
  const states = new Array<PastState>(questions.length);
  for (const row of rows) {
    const at = Number(row.position) - 1;
    states[at] = pastState(questions[at]!.id, row);
  }
  return states;
}

const wantedKey = { source: 'wanted.source_id', type: 'wanted.type', key: 'wanted.key collate "C"' };

function pastState(id: ObjectId, row: PastRow): PastState {
  const moment = knownMoment(row);
  if (moment.outcome !== 'known') return moment;
  const { serial: asOf } = moment;
  return row.revision === null ? { outcome: 'absent', asOf } : stateOf(id, row, asOf);
}

function stateOf(id: ObjectId, row: StateRow, asOf: bigint): PastState {
  const { revision, serial, deleted, created, modified, text } = row;
  if (deleted) return { outcome: 'deleted', asOf, instant: modified };
  if (text === null) return { outcome: 'later' };
  if (isErased({ text })) return { outcome: 'erased', asOf };
  return {
    outcome: 'found',
    asOf,
    stored: { ...id, revision, serial, deleted, created: created ?? undefined, modified, text, tags: [] },
  };
}

/** The first state of an object in the registry; 'absent' when it never existed. */
export async function firstState(db: Db, id: ObjectId): Promise<PastState> {
  const { rows } = await db.query<StateRow>({
    name: 'first-state',
    text: `(select revision, serial, operation = ${operations.delete} as deleted, created, instant as modified, text
            from version where source_id = $1 and type = $2 and key = $3 order by revision limit 1)
           union all
           select revision, serial, deleted, created, modified, text from object
           where source_id = $1 and type = $2 and key = $3
           order by revision limit 1`,
    values: [id.sourceId, typeCodes[id.type], id.key],
  });
  const row = rows[0];
  return row === undefined ? { outcome: 'absent', asOf: 0n } : stateOf(id, row, row.serial);
}
