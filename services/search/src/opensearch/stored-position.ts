import type { FeedPosition } from '@cadastre/changes';
import type { Position } from '../index-port.js';
import { type Cluster, localCopy } from './cluster.js';

/** The document with the position of an index. It has no type, so that no query finds it. */
const positionId = 'position';

/** A position with the version for its conditional update. */
export interface StoredPosition extends Position {
  /** The index that holds it. */
  readonly index: string;
  readonly sequence: { readonly if_seq_no: number; readonly if_primary_term: number };
}

interface Answer {
  readonly _index: string;
  readonly _seq_no: number;
  readonly _primary_term: number;
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
  const answer = await cluster.read<Answer>({ method: 'GET', path, query: localCopy, ...(signal && { signal }) });
  if (!answer?.found) return undefined;
  const { serial, reached, instant } = answer._source.position;
  return {
    serial: BigInt(serial),
    reached: new Date(reached),
    instant: instant === undefined ? undefined : new Date(instant),
    index: answer._index,
    sequence: { if_seq_no: answer._seq_no, if_primary_term: answer._primary_term },
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
