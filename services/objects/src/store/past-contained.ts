import type { ObjectTypeName, Resource } from '@cadastre/rpsl';
import { columnsOf, rangeType } from './hierarchy.js';
import { rangeLiteral, type Span, spanOfResource } from './spans.js';
import type { Db } from './stored-object.js';
import { typeCodes } from './type-codes.js';

/** An object that has or had a range, by its bounds; the upper one is excluded. */
export interface SpannedKey {
  readonly key: string;
  readonly lower: bigint;
  readonly upper: bigint;
}

/** A position among them; without upper bound before everything that begins at the lower one. */
export type SpannedPlace = Omit<SpannedKey, 'upper'> & Partial<SpannedKey>;

/** The first objects of a type inside a resource that exist or existed, from a position on. */
export interface SpannedKeys {
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
