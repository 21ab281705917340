import type { FeedPosition } from '@cadastre/changes';
import type { Position, RebuildPhase, RebuildState } from '../index-port.js';
import type { Tables } from './tables.js';

/** The state of a file: the index of a source that queries see, or an unfinished copy. */
export interface FileState {
  readonly id: string;
  readonly phase: RebuildPhase;
  readonly back: boolean;
  readonly position: Position;
  /** The position of the last page of the export that it has. */
  readonly exported: string | undefined;
  readonly objects: bigint;
  /** Undefined for an index that began empty. */
  readonly started: Date | undefined;
  readonly advanced: Date;
  readonly failure: string | undefined;
}

type Row = Pick<FileState, 'id' | 'phase'> &
  Readonly<Record<'back' | 'serial' | 'reached' | 'objects' | 'advanced', number>> &
  Readonly<Record<'instant' | 'started', number | null>> &
  Readonly<Record<'exported' | 'failure', string | null>>;

export function readState(tables: Tables): FileState {
  const row = tables.one<Row>('select * from state')!;
  return {
    id: row.id,
    phase: row.phase,
    back: row.back === 1,
    position: { ...positionOf(row), reached: new Date(row.reached) },
    exported: row.exported ?? undefined,
    objects: BigInt(row.objects),
    started: row.started === null ? undefined : new Date(row.started),
    advanced: new Date(row.advanced),
    failure: row.failure ?? undefined,
  };
}

function positionOf({ serial, instant }: Row): FeedPosition {
  return { serial: BigInt(serial), instant: instant === null ? undefined : new Date(instant) };
}

/** The state of a rebuild, from the file that it makes or made. */
export function rebuildStateOf(state: FileState | undefined): RebuildState | undefined {
  if (state?.started === undefined) return undefined;
  const { id, phase, objects, position, started, advanced, failure } = state;
  return { id, phase, objects, serial: position.serial, started, advanced, failure };
}

/** The properties of a new file. */
export interface NewFile extends FeedPosition {
  readonly source: string;
  readonly id: string;
  readonly phase: RebuildPhase;
  readonly back: boolean;
  readonly isRebuild: boolean;
  readonly failure?: string | undefined;
}

export function insertState(tables: Tables, file: NewFile): void {
  const now = Date.now();
  tables.run(
    `insert into state (source, id, phase, back, serial, instant, reached, objects, started, advanced, failure)
     values (?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?)`,
    ...[file.source, file.id, file.phase, file.back ? 1 : 0, file.serial, file.instant?.getTime() ?? null, now],
    ...[file.isRebuild ? now : null, now, file.failure ?? null],
  );
}

/** Moves the position to changes that were applied. */
export function storePosition(tables: Tables, { serial, instant }: FeedPosition, gained: number): void {
  const now = Date.now();
  tables.run(
    `update state set serial = ?, instant = ?, objects = objects + ?, reached = ?, advanced = ?, failure = null`,
    ...[serial, instant?.getTime() ?? null, gained, now, now],
  );
}
