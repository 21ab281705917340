import type { ObjectTypeName } from '@cadastre/rpsl';
import {
  columnOfKind,
  type EnclosingObjects,
  type EnclosingQuery,
  type EnclosingScope,
  rangeOf,
  rangeType,
  searchesFor,
  sizeOf,
} from './hierarchy.js';
import { loadPast, stateAt } from './past.js';
import type { Span } from './spans.js';
import type { Db, ObjectId, StoredObject } from './stored-object.js';
import { typeCodes } from './type-codes.js';

export interface PastEnclosingQuery extends Omit<EnclosingQuery, 'bounds'> {
  readonly serial: bigint;
  /** Maximum bytes of all texts together. */
  readonly bytes: number;
}

/**
 * Like `loadEnclosing`, as of a serial that the source still has. A range follows from the key, so candidates are the
 * objects with a range now and the deleted ones; the state of each at the serial decides.
 */
export async function loadEnclosingPast(
  db: Db,
  sourceId: number,
  { types, resources, scope, serial, bytes }: PastEnclosingQuery,
): Promise<EnclosingObjects> {
  const answers: number[][] = resources.map(() => []);
  const ids: ObjectId[] = [];
  for (const { type, kind, positions } of searchesFor(types, resources)) {
    const column = columnOfKind[kind];
    const { rows } = await db.query<EnclosingRow>({
      name: `enclosing-past-${type}-${column}`,
      text: enclosingPast(type, column),
      values: [sourceId, positions.map((position) => rangeOf(resources[position]!)), serial],
    });
    const places = new Map<string, number>();
    for (const [position, found] of Map.groupBy(rows, (row) => row.position)) {
      for (const { key } of inScope(found, scope)) {
        if (!places.has(key)) places.set(key, ids.push({ sourceId, type, key }) - 1);
        answers[positions[Number(position) - 1]!]!.push(places.get(key)!);
      }
    }
  }
  return { objects: await loadTexts(db, ids, serial, bytes), answers };
}

interface EnclosingRow {
  position: bigint;
  key: string;
  exact: boolean;
  /** As text. */
  size: string;
}

/** Each object that enclosed a range and is not erased, smallest first. $1 is the source, $2 are the ranges, $3 is the serial. */
function enclosingPast(type: ObjectTypeName, column: Span['column']): string {
  const isCandidate = `o.source_id = $1 and o.type = ${typeCodes[type]} and o.${column} @> wanted.range`;
  const key = { source: '$1', type: String(typeCodes[type]), key: 'candidate.key' };
  return `select wanted.position, candidate.key, candidate.${column} = wanted.range as exact, candidate.size::text as size
          from unnest($2::text[]::${rangeType(column)}[]) with ordinality as wanted (range, position)
          cross join lateral (
            select o.key, o.${column}, ${sizeOf(column)} as size from object o where ${isCandidate}
            union
            select o.key, o.${column}, ${sizeOf(column)} as size from former_span o where ${isCandidate}
          ) candidate
          cross join lateral (${stateAt(key, '$3')}) state
          where not state.deleted and state.text <> ''
          order by wanted.position, candidate.size, candidate.key`;
}

/** Selects by scope from the enclosing objects, smallest first. */
function inScope(found: readonly EnclosingRow[], scope: EnclosingScope): readonly EnclosingRow[] {
  if (scope === 'all') return found;
  if (scope === 'exact') return found.filter(({ exact }) => exact);
  const larger = scope === 'parent' ? found.filter(({ exact }) => !exact) : found;
  return larger.filter(({ size }) => size === larger[0]!.size);
}

/** Omits texts that do not fit. */
async function loadTexts(
  db: Db,
  ids: readonly ObjectId[],
  serial: bigint,
  bytes: number,
): Promise<(StoredObject | ObjectId)[]> {
  const states = await loadPast(
    db,
    ids.map((id) => ({ id, moment: { serial } })),
    bytes,
  );
  return states.map((state, at) => (state.outcome === 'found' ? state.stored : ids[at]!));
}
