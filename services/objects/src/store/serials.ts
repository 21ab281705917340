import type { Db } from './stored-object.js';

/** The notification channel for committed changes; the payload is the source's number. */
export const changeChannel = 'cadastre_change';

/**
 * Reserves the next `count` serials of a source for changes without names, and returns the first. The row is locked
 * until the transaction ends, so serials become visible in order and without gaps.
 */
export async function takeSerials(db: Db, sourceId: number, count: number): Promise<bigint> {
  const { rows } = await db.query<{ first: bigint }>({
    name: 'take-serials',
    text: `with taken as (
             update source set serial = serial + $2, unnamed_serial = serial + $2 where id = $1 returning serial
           )
           select serial - $2 + 1 as first, pg_notify('${changeChannel}', $1::text) from taken`,
    values: [sourceId, count],
  });
  return rows[0]!.first;
}

/** The serial of the newest committed change of a source; 0 before the first. */
export async function currentSerial(db: Db, sourceId: number): Promise<bigint> {
  const { rows } = await db.query<{ serial: bigint }>({
    name: 'current-serial',
    text: 'select serial from source where id = $1',
    values: [sourceId],
  });
  return rows[0]!.serial;
}

/** A state of a source. */
export interface Moment {
  /** The serial of the newest change. */
  readonly serial: bigint;
  /** The server that has it: after a failover, or a restore, another one may use the same serials for other changes. */
  readonly server: string;
}

/** Identifies the server of a session; no two servers start in the same microsecond. */
export const serverExpression = 'extract(epoch from pg_postmaster_start_time())::text';

/** The state that later statements of the connection see, or a newer one. */
export async function currentMoment(db: Db, sourceId: number): Promise<Moment> {
  const { rows } = await db.query<Moment>({
    name: 'current-moment',
    text: `select serial, ${serverExpression} as server from source where id = $1`,
    values: [sourceId],
  });
  return rows[0]!;
}

/**
 * Whether changes after a serial have written one of these names (`namesLiteral`), or may have: then data that was read
 * since may mix the states before and after them.
 */
export async function isWrittenSince(db: Db, sourceId: number, since: bigint, names: string): Promise<boolean> {
  const { rows } = await db.query<{ written: boolean }>({
    name: 'is-written-since',
    text: `select s.unnamed_serial > $2 or s.serial - $2 <> c.changes or c.written as written
           from source s, lateral (
             select count(*) as changes, coalesce(bool_or(locks && $3::bigint[]), false) as written
             from change where source_id = s.id and serial > $2 and serial <= s.serial
           ) c where s.id = $1`,
    values: [sourceId, since, names],
  });
  return rows[0]!.written;
}

/** The newest committed change of a source: its serial (0 before the first), and its time unless it was removed. */
export async function newestChange(db: Db, sourceId: number): Promise<{ serial: bigint; instant: Date | undefined }> {
  const { rows } = await db.query<{ serial: bigint; instant: Date | null }>({
    name: 'newest-change',
    text: `select s.serial, c.instant from source s left join change c on c.source_id = s.id and c.serial = s.serial
           where s.id = $1`,
    values: [sourceId],
  });
  const { serial, instant } = rows[0]!;
  return { serial, instant: instant ?? undefined };
}

/** The time of a change; undefined when the registry no longer has it. */
export async function instantOf(db: Db, sourceId: number, serial: bigint): Promise<Date | undefined> {
  const { rows } = await db.query<{ instant: Date }>({
    name: 'instant-of-change',
    text: 'select instant from change where source_id = $1 and serial = $2',
    values: [sourceId, serial],
  });
  return rows[0]?.instant;
}

/**
 * The setting with which a transaction lists which of its writes it stores, by their positions: ",1,3,". So the
 * statements behind the one that decides need not wait for its answer.
 */
export const grantedSetting = 'cadastre.granted';

/** One of the writes. */
export interface Granted {
  /** Its position, between commas. */
  readonly place: string;
}

/** The condition that the transaction stores the write with the position of this parameter. */
export function isGranted(parameter: string): string {
  return `strpos(current_setting('${grantedSetting}', true), ${parameter}::text) > 0`;
}
