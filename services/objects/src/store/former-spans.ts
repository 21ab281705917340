import type { ObjectTypeName, Resource } from '@cadastre/rpsl';
import { typeCodes } from './codes.js';
import {
  columnOfKind,
  columnsOf,
  type EnclosingObjects,
  type EnclosingQuery,
  type EnclosingScope,
  rangeOf,
  rangeType,
  searchesFor,
  sizeOf,
} from './hierarchy.js';
import { loadPast, stateAt } from './past.js';
import { rangeLiteral, type Span, spanOfResource } from './spans.js';
import type { Db, ObjectId, StoredObject } from './stored-object.js';

interface PastEnclosingQuery extends Omit<EnclosingQuery, 'bounds'> {
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

/** An object that has or had a range, by its bounds; the upper one is excluded. */
interface SpannedKey {
  readonly key: string;
  readonly lower: bigint;
  readonly upper: bigint;
}

/** A position among them; without upper bound before everything that begins at the lower one. */
export type SpannedPlace = Omit<SpannedKey, 'upper'> & Partial<SpannedKey>;

/** The first objects of a type inside a resource that exist or existed, from a position on. */
interface SpannedKeys {
  /** In address order, larger ranges before those inside them, then by key. */
  readonly keys: readonly SpannedKey[];
  /** Where the others begin; undefined when there are none. */
  readonly next: SpannedPlace | undefined;
  /** The width of the next range to try: about as wide as the range of a statement's keys. */
  readonly width: bigint;
}

/** Maximum number of keys of one statement. */
const maxKeys = 1_000;

/**
 * Reads at most `maxKeys`, whatever the size of the resource: no index has the order of addresses, so it reads all keys
 * of a part of the resource, and halves the part until they are few enough. The part begins at `from`, and has at first
 * `width` numbers.
 */
export async function spannedKeysInside(
  db: Db,
  sourceId: number,
  type: ObjectTypeName,
  resource: Resource,
  from?: SpannedPlace,
  width?: bigint,
): Promise<SpannedKeys> {
  const whole = spanOfResource(resource);
  const nothing = { keys: [], next: undefined, width: whole.upper - whole.lower };
  if (!columnsOf(type).includes(whole.column)) return nothing;
  const start = { key: '', lower: whole.lower, upper: whole.upper, ...from };
  const rest = whole.upper - start.lower;
  for (let tried = width !== undefined && width < rest ? width : rest; tried > 0n; ) {
    const found = await keysBetween(db, sourceId, type, whole, start, tried);
    if (found.length <= maxKeys) {
      const lower = start.lower + tried;
      const next = lower < whole.upper ? { key: '', lower } : undefined;
      return { keys: found, next, width: found.length < maxKeys / 4 ? tried * 4n : tried };
    }
    if (tried === 1n) return { keys: found.slice(0, maxKeys), next: found[maxKeys], width: tried };
    tried = narrower(found, start.lower, tried);
  }
  return nothing;
}

/** At least halves the part, to about half of the known keys. */
function narrower(found: readonly SpannedKey[], lower: bigint, width: bigint): bigint {
  const middle = found[maxKeys / 2]!.lower - lower;
  const half = width / 2n;
  if (middle === 0n) return 1n;
  return middle < half ? middle : half;
}

/**
 * The keys from a position on that begin in the next `width` numbers, in order: all of them, or `maxKeys` plus one.
 * These are the first ones of all only if `width` is 1.
 */
async function keysBetween(
  db: Db,
  sourceId: number,
  type: ObjectTypeName,
  whole: Span,
  from: SpannedKey,
  width: bigint,
): Promise<SpannedKey[]> {
  const { column } = whole;
  const part = { lower: from.lower, upper: from.lower + width };
  // Bounds are numbers in SQL; text preserves all digits.
  const { rows } = await db.query<{ key: string; lower: string; upper: string }>({
    name: `spanned-keys-${type}-${column}`,
    text: `select key, lower(span)::text as lower, upper(span)::text as upper
           from (${spannedIn('object', type, column)} union ${spannedIn('former_span', type, column)}) o
           order by lower(span), upper(span) desc, key limit ${maxKeys + 1}`,
    values: [
      sourceId,
      rangeLiteral(whole),
      rangeLiteral(part),
      String(from.upper),
      from.key,
      width === 1n ? null : maxKeys + 1,
    ],
  });
  return rows.map(({ key, lower, upper }) => ({ key, lower: BigInt(lower), upper: BigInt(upper) }));
}

/**
 * $1 is the source, $2 the resource, $3 the part, $4 and $5 the upper bound and the key of the position, $6 the limit.
 */
function spannedIn(table: string, type: ObjectTypeName, column: Span['column']): string {
  const [range, number] = [rangeType(column), numberType[column]];
  return `(
             select key, ${column} as span from ${table}
             where source_id = $1 and type = ${typeCodes[type]} and ${column} <@ $2::${range} and ${column} <> $2::${range}
               and ${column} && $3::${range} and lower(${column}) <@ $3::${range}
               and (lower(${column}) > lower($3::${range}) or upper(${column}) < $4::${number}
                 or upper(${column}) = $4::${number} and key >= $5 collate "C")
             limit $6
           )`;
}

const numberType: Record<Span['column'], string> = { span: 'bigint', span6: 'numeric' };
