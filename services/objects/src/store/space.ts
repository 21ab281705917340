import { type AddressRange, type ObjectTypeName, partBits } from '@cadastre/rpsl';
import { typeCodes } from './codes.js';
import { columnOfKind, firstLevel, rangeOf, rangeType } from './hierarchy.js';
import { referenceHash } from './references.js';
import type { Db, ObjectId } from './stored-object.js';

/** Maximum objects of a statement, because it reads a row for each. */
const maxRead = 100_000;
/** The same for the objects of an account: a missing one could be an outermost one. */
const maxOwn = 500_000;
/** With more objects inside, only those that are as large as a part are named. */
const maxNamed = 1000;

/** The type that registers the addresses of a family. */
export function networkType({ family }: Pick<AddressRange, 'family'>): 'inetnum' | 'inet6num' {
  return family === 4 ? 'inetnum' : 'inet6num';
}

/** The root objects of these say nothing about the holders of addresses. */
const wholeSpaces = {
  4: { family: 4, first: 0n, last: 2n ** 32n - 1n },
  6: { family: 6, first: 0n, last: 2n ** 128n - 1n },
} as const satisfies Record<4 | 6, AddressRange>;

function columnOf(family: 4 | 6) {
  return columnOfKind[family === 4 ? 'ipv4' : 'ipv6'];
}

/** The objects inside a range, or across one of its bounds. */
interface InsideSpace {
  /** How many, at most `maxRead`. */
  readonly objects: number;
  readonly isPartial: boolean;
  /** The addresses that they cover: disjoint stretches in order, which can be read once. */
  readonly registered: Iterable<Stretch>;
  /** How many objects begin in a part, by the position of the part. */
  readonly begun: ReadonlyMap<number, number>;
  /** The outermost ones that are named, in address order. */
  readonly outermost: readonly AddressRange[];
}

type Stretch = Pick<AddressRange, 'first' | 'last'>;

interface InsideRow {
  readonly objects: bigint;
  /** The last number that an object has, plus 1. */
  readonly end: bigint | string | null;
  /** What is free between objects: "12-15 20-24", the second bound excluded. */
  readonly gaps: string | null;
  readonly parts: number[] | null;
  readonly begun: number[] | null;
  readonly named: string[] | null;
}

/** Reads the objects that have some addresses of a range but not all of them, without texts: one statement. */
export async function readInside(
  db: Db,
  sourceId: number,
  whole: AddressRange,
  maxParts: number,
): Promise<InsideSpace> {
  const column = columnOf(whole.family);
  const number = column === 'span' ? 'bigint' : 'numeric';
  const range = `$2::${rangeType(column)}`;
  const bits = partBits(whole, maxParts);
  const { rows } = await db.query<InsideRow>({
    name: `inside-space-${column}`,
    // "reached" is where the objects before end. Aggregating ranges costs five times as much.
    text: `with o as materialized (
             select o.${column} as range, greatest(lower(o.${column}), lower(${range})) as lower,
               least(upper(o.${column}), upper(${range})) as upper
             from object o
             where o.source_id = $1 and o.type = ${typeCodes[networkType(whole)]}
               and o.${column} && ${range} and not o.${column} @> ${range}
             limit ${maxRead + 1}
           ), part as (
             select floor((lower - $4::${number}) / $3::${number})::integer as at, count(*) as begun from o group by 1
           ), bound as (
             select lower, coalesce(max(upper) over (
               order by lower rows between unbounded preceding and 1 preceding
             ), lower(${range})) as reached from o
           ), named as (
             select range from o where upper - lower >= $3::${number} or (select count(*) from o) <= ${maxNamed}
             order by lower, upper desc limit ${2 * maxNamed}
           )
           select (select count(*) from o) as objects, (select max(upper) from o) as end,
             (select string_agg(reached || '-' || lower, ' ' order by lower) from bound where lower > reached) as gaps,
             (select array_agg(at order by at) from part) as parts,
             (select array_agg(begun::integer order by at) from part) as begun,
             (select array_agg(range::text order by lower(range), upper(range) desc) from named) as named`,
    values: [sourceId, rangeOf(whole), String(1n << bits), String((whole.first >> bits) << bits)],
  });
  const { objects, end, gaps, parts, begun, named } = rows[0]!;
  return {
    objects: Math.min(Number(objects), maxRead),
    isPartial: objects > maxRead,
    registered: end === null ? [] : stretchesBetween(whole.first, gaps ?? '', BigInt(end)),
    begun: new Map((parts ?? []).map((part, at) => [part, begun![at]!])),
    outermost: (named ?? [])
      .map((text) => stretchOf(text.slice(1, -1).split(',')))
      .filter(outermost())
      .map((stretch) => ({ family: whole.family, ...stretch })),
  };
}

/** The registered stretches from the first number on, between the gaps. */
function* stretchesBetween(start: bigint, gaps: string, end: bigint): Generator<Stretch> {
  let first = start;
  for (let at = 0; at < gaps.length; ) {
    const dash = gaps.indexOf('-', at);
    const space = gaps.indexOf(' ', dash);
    const bound = space < 0 ? gaps.length : space;
    const free = BigInt(gaps.slice(at, dash));
    if (free > first) yield { first, last: free - 1n };
    first = BigInt(gaps.slice(dash + 1, bound));
    at = bound + 1;
  }
  yield { first, last: end - 1n };
}

function stretchOf([lower, upper]: readonly string[]): Stretch {
  return { first: BigInt(lower!), last: BigInt(upper!) - 1n };
}

function outermost(): (stretch: Stretch) => boolean {
  const isOutermost = firstLevel();
  return ({ first, last }) => isOutermost({ lower: first, upper: last + 1n });
}

/**
 * The networks of a family that name one of these mntners (folded keys) in any attribute, and that no other of them
 * contains: at most `limit`, in address order. Two mntners may have the same hash: the caller must read the objects.
 */
export async function findOutermost(
  db: Db,
  sourceId: number,
  family: 4 | 6,
  mntners: readonly string[],
  limit: number,
): Promise<{ ids: ObjectId[]; isPartial: boolean }> {
  const type: ObjectTypeName = networkType({ family });
  const column = columnOf(family);
  const { rows } = await db.query<{ key: string; read: bigint }>({
    name: `outermost-networks-${column}`,
    text: `with o as materialized (
             select o.key, o.${column} from object o
             where o.source_id = $1 and o.refs && $2::bigint[] and o.type = ${typeCodes[type]} and not o.deleted
               and o.${column} <> '${rangeOf(wholeSpaces[family])}'::${rangeType(column)}
             limit ${maxOwn + 1}
           ), reached as (
             select o.key, o.${column}, max(upper(o.${column})) over (
               order by lower(o.${column}), upper(o.${column}) desc rows between unbounded preceding and 1 preceding
             ) as reached from o
           )
           select o.key, (select count(*) from o) as read from reached o
           where o.reached is null or upper(o.${column}) > o.reached
           order by lower(o.${column}) limit $3`,
    values: [sourceId, mntners.map((key) => referenceHash('mntner', key)), limit],
  });
  return { ids: rows.map(({ key }) => ({ sourceId, type, key })), isPartial: (rows[0]?.read ?? 0n) > maxOwn };
}
