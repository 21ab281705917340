import type pg from 'pg';
import type { FeedPosition, RebuildPhase, RebuildState } from '../index-port.js';
import { format, ofFormat } from './tables.js';

/** The newest rebuild of a source, as stored. */
export interface StoredRebuild extends Omit<RebuildState, 'id'> {
  readonly generation: number;
  readonly back: boolean;
  /** The registry's time of the change with the serial. */
  readonly instant: Date | undefined;
  /** The position of the last page of the export that the tables have. */
  readonly exported: string | null;
  readonly failure: string | undefined;
}

type Database = Pick<pg.ClientBase, 'query'>;

/** The newest rebuild of a source; undefined when there was none. */
export async function readRebuild(db: Database, source: string): Promise<StoredRebuild | undefined> {
  const { rows } = await db.query<
    Omit<StoredRebuild, 'failure' | 'instant'> & { failure: string | null; instant: Date | null }
  >({
    name: 'read-rebuild',
    text: `select generation, phase, back, serial, instant, exported, objects, started, advanced, failure
           from rebuild where ${ofFormat}`,
    values: [source],
  });
  const row = rows[0];
  return row && { ...row, instant: row.instant ?? undefined, failure: row.failure ?? undefined };
}

export async function readState(db: Database, source: string): Promise<RebuildState | undefined> {
  const stored = await readRebuild(db, source);
  if (stored === undefined) return undefined;
  const { generation, phase, objects, serial, started, advanced, failure } = stored;
  return { id: String(generation), phase, objects, serial, started, advanced, failure };
}

/** Stores the beginning of a rebuild, in place of the one before. */
export async function storeBeginning(
  db: Database,
  source: string,
  { generation, serial, instant, back }: Pick<StoredRebuild, 'generation' | 'back'> & FeedPosition,
): Promise<void> {
  await db.query(`delete from rebuild where ${ofFormat}`, [source]);
  await db.query(
    `insert into rebuild (source, generation, format, phase, back, serial, instant)
     values ($1, $2, $3, 'export', $4, $5, $6)`,
    [source, generation, format, back, serial, instant],
  );
}

/** Stores how much of the export the tables have. */
export async function storeExported(
  db: Database,
  source: string,
  exported: string | undefined,
  objects: bigint,
): Promise<void> {
  await db.query(`update rebuild set exported = $2, objects = $3, advanced = now(), failure = null where ${ofFormat}`, [
    source,
    exported ?? null,
    objects,
  ]);
}

export async function storePhase(db: Database, source: string, phase: RebuildPhase): Promise<void> {
  await db.query(`update rebuild set phase = $2, advanced = now(), failure = null where ${ofFormat}`, [source, phase]);
}

/** The end of a statement of `writeStatement` whose parameters are the source, and serial and time of the changes. */
export const advanceRebuild = `update rebuild
  set objects = objects + gained, serial = greatest(serial, $2::bigint),
    instant = case when $2::bigint < serial then instant else $3::timestamptz end, advanced = now(), failure = null
  from gained where ${ofFormat}`;

/** Stores why a rebuild waits, unless another one has begun. */
export async function storeFailure(db: Database, source: string, generation: number, failure: string): Promise<void> {
  await db.query(`update rebuild set failure = $3 where ${ofFormat} and generation = $2`, [
    source,
    generation,
    failure,
  ]);
}

/** Stores that a rebuild ended without a result, and why. */
export async function storeEnd(db: Database, source: string, failure: string | undefined): Promise<void> {
  if (failure === undefined) await db.query(`delete from rebuild where ${ofFormat}`, [source]);
  else {
    await db.query(`update rebuild set phase = 'failed', advanced = now(), failure = $2 where ${ofFormat}`, [
      source,
      failure,
    ]);
  }
}
