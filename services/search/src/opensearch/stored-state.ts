import type { FeedPosition } from '@cadastre/changes';
import type { Position, RebuildState } from '../index-port.js';
import { type Cluster, localCopy } from './cluster.js';
import { indexesBehind, type SourceNames } from './generations.js';

/** The document with the position of an index. It has no type, so that no query finds it. */
const positionId = 'position';

/** A position with the version for its conditional update. */
export interface StoredPosition extends Position {
  /** The index that holds it. */
  readonly index: string;
  readonly sequence: Sequence;
}

interface PositionAnswer extends Written {
  readonly _index: string;
  readonly found: boolean;
  readonly _source: {
    readonly position: { readonly serial: string; readonly reached: string; readonly instant?: string };
  };
}

/** The position of an index or alias; undefined without one. Never older than what queries see. */
export async function readPosition(
  cluster: Cluster,
  name: string,
  signal?: AbortSignal,
): Promise<StoredPosition | undefined> {
  const path = `/${name}/_doc/${positionId}`;
  const answer = await cluster.read<PositionAnswer>({
    method: 'GET',
    path,
    query: localCopy,
    ...(signal && { signal }),
  });
  if (!answer?.found) return undefined;
  const { serial, reached, instant } = answer._source.position;
  return {
    serial: BigInt(serial),
    reached: new Date(reached),
    instant: instant === undefined ? undefined : new Date(instant),
    index: answer._index,
    sequence: sequenceOf(answer),
  };
}

/**
 * Stores the position of an index, replacing `previous` or as its first one. Errors: ServiceError 'conflict' when
 * another writer was faster.
 */
export async function writePosition(
  cluster: Cluster,
  index: string,
  { serial, instant }: FeedPosition,
  previous?: StoredPosition,
): Promise<void> {
  await cluster.write({
    method: 'PUT',
    path: `/${index}/_doc/${positionId}`,
    query: previous?.sequence ?? { op_type: 'create' },
    body: {
      position: { serial: serial.toString(), reached: new Date().toISOString(), instant: instant?.toISOString() },
    },
  });
}

/**
 * The document with the state of the rebuild that makes an index, or that failed to replace it. It has no type, so that
 * no query finds it.
 */
const rebuildId = 'rebuild';

/** The state of a rebuild, as stored. */
export interface StoredRebuild extends RebuildState {
  /** As in BeginOptions. */
  readonly back: boolean;
  /** The registry's time of the change with the serial. */
  readonly instant: Date | undefined;
  /** The position of the last page of the export that the copy has. */
  readonly exported: string | undefined;
  /** Whether a process works on it, unless it has died. */
  readonly isHeld: boolean;
}

/** A state with the version for its conditional update. */
export interface VersionedRebuild {
  readonly state: StoredRebuild;
  readonly sequence: Sequence;
}

type Sequence = Readonly<Record<'if_seq_no' | 'if_primary_term', number>>;

interface Written {
  readonly _seq_no: number;
  readonly _primary_term: number;
}

/** Serials and times as text: JSON numbers are too narrow. */
type Content = Pick<StoredRebuild, 'id' | 'phase' | 'failure' | 'back' | 'exported'> &
  Readonly<Record<'objects' | 'serial' | 'started' | 'advanced', string>> & {
    readonly instant?: string;
    readonly held: boolean;
  };

interface Answer extends Written {
  readonly found: boolean;
  // The mapping has one field whose content OpenSearch does not parse.
  readonly _source: { readonly position: { readonly rebuild: Content } };
}

/** The state that an index has; undefined without one. */
export async function readRebuildOf(cluster: Cluster, index: string): Promise<VersionedRebuild | undefined> {
  const answer = await cluster.read<Answer>({ method: 'GET', path: `/${index}/_doc/${rebuildId}`, query: localCopy });
  if (!answer?.found) return undefined;
  const { objects, serial, instant, started, advanced, failure, exported, held, ...content } =
    answer._source.position.rebuild;
  return {
    state: {
      ...content,
      objects: BigInt(objects),
      serial: BigInt(serial),
      instant: instant === undefined ? undefined : new Date(instant),
      started: new Date(started),
      advanced: new Date(advanced),
      failure,
      exported,
      isHeld: held,
    },
    sequence: sequenceOf(answer),
  };
}

/** The newest rebuild of a source: the one in progress, or else the one that made the index in use or failed to. */
export async function readState(cluster: Cluster, names: SourceNames): Promise<RebuildState | undefined> {
  const [building] = await indexesBehind(cluster, names.building);
  const unfinished = building === undefined ? undefined : await readRebuildOf(cluster, building);
  if (unfinished) return unfinished.state;
  const state = (await readRebuildOf(cluster, names.alias))?.state;
  return state?.phase === 'failed' ? state : state && { ...state, phase: 'finished' };
}

/**
 * Stores a state in an index, replacing the one with the version `previous`, if any. Errors: ServiceError 'conflict'
 * when another process was faster.
 */
export async function writeRebuild(
  cluster: Cluster,
  index: string,
  state: StoredRebuild,
  previous: Sequence | undefined,
): Promise<VersionedRebuild> {
  const advanced = new Date();
  const { objects, serial, instant, started, isHeld: held, ...content } = state;
  const rebuild = {
    ...content,
    objects: objects.toString(),
    serial: serial.toString(),
    instant: instant?.toISOString(),
    started: started.toISOString(),
    advanced: advanced.toISOString(),
    held,
  };
  const answer = await cluster.write<Written>({
    method: 'PUT',
    path: `/${index}/_doc/${rebuildId}`,
    query: { ...(previous ?? { op_type: 'create' }) },
    body: { position: { rebuild } },
  });
  return { state: { ...state, advanced }, sequence: sequenceOf(answer!) };
}

function sequenceOf({ _seq_no, _primary_term }: Written): Sequence {
  return { if_seq_no: _seq_no, if_primary_term: _primary_term };
}
