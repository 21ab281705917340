import type { ObjectTypeName, Resource } from '@cadastre/rpsl';
import { typeCodes, typeOfCode } from './codes.js';
import { rangeLiteral, type Span, spanOfResource } from './spans.js';
import {
  type Db,
  type ObjectId,
  type ObjectRow,
  objectColumns,
  objectColumnsWith,
  type StoredObject,
  storedObject,
} from './stored-object.js';

/**
 * How far to look up: `nearest` the exact range, else the smallest that encloses it; `exact`; `parent` the smallest
 * larger range; `all` ranges that enclose it. Several objects may have the same range (routes): then all of them.
 */
export type EnclosingScope = 'nearest' | 'exact' | 'parent' | 'all';

/** How far to look down: everything inside, or only what has nothing of the same type in between. */
export type ContainedScope = 'children' | 'all';

const enclosingConditions: Record<EnclosingScope, (column: string) => string> = {
  nearest: (column) => `o.${column} @> wanted.range`,
  exact: (column) => `o.${column} = wanted.range`,
  parent: (column) => `o.${column} @> wanted.range and o.${column} <> wanted.range`,
  all: (column) => `o.${column} @> wanted.range`,
};

/** The objects of a type that enclose a resource, smallest first. */
export async function findEnclosing(
  db: Db,
  sourceId: number,
  type: ObjectTypeName,
  resource: Resource,
): Promise<StoredObject[]> {
  const kind = kindOf(resource);
  if (!kindsOfType[type]?.includes(kind)) return [];
  const column = columnOfKind[kind];
  const { rows } = await db.query<ObjectRow>({
    name: `enclosing-objects-${type}-${column}`,
    // With an array, PostgreSQL makes one plan for all ranges.
    text: `select o.* from unnest($2::text[]::${rangeType(column)}[]) as wanted (range)
           cross join lateral (${enclosingOne(type, column, 'all', objectColumns)}) o`,
    values: [sourceId, [rangeOf(resource)]],
  });
  return rows.map(storedObject);
}

/** The objects that enclose resources. */
export interface EnclosingObjects {
  /** Each object once; without text (`ObjectId` only) if that does not fit into `bounds`. */
  readonly objects: readonly (StoredObject | ObjectId)[];
  /** For each resource the positions of its objects in `objects`, type by type, smallest first. */
  readonly answers: readonly (readonly number[])[];
  /** For each resource the positions of the smallest objects of their type that contain others; only if requested. */
  readonly holding?: readonly (readonly number[])[];
}

export interface EnclosingQuery {
  readonly types: readonly ObjectTypeName[];
  readonly resources: readonly Resource[];
  readonly scope: EnclosingScope;
  /** Maximum number of objects of each type for each resource; undefined means no limit. */
  readonly limit?: number | undefined;
  /** Whether to return which of the smallest objects contain others of their type. */
  readonly reportsHolding?: boolean;
  /** Maximum bytes of each text, and of all texts together. */
  readonly bounds: { readonly each: number; readonly together: number };
}

/**
 * Finds the objects that enclose the resources, and loads each of them once: one statement. For one resource,
 * `findEnclosing` is cheaper.
 */
export async function loadEnclosing(
  db: Db,
  sourceId: number,
  { types, resources, scope, limit, reportsHolding = false, bounds }: EnclosingQuery,
): Promise<EnclosingObjects> {
  const answers: number[][] = resources.map(() => []);
  const holding: number[][] = resources.map(() => []);
  const searches = searchesFor(
    [...types].sort((one, other) => typeCodes[one] - typeCodes[other]),
    resources,
  );
  if (searches.length === 0) return { objects: [], answers, ...(reportsHolding && { holding }) };
  const { rows } = await db.query<EnclosingRow>({
    name: `enclosing-${scope}${limit === undefined ? '' : '-some'}${reportsHolding ? '-holding' : ''}-${searches.map(({ type, kind }) => `${typeCodes[type]}${kind}`).join('-')}`,
    text: enclosingText(searches, scope, { isLimited: limit !== undefined, reportsHolding }),
    values: [
      sourceId,
      bounds.each,
      bounds.together,
      ...searches.flatMap(({ positions }) => [positions.map((position) => rangeOf(resources[position]!)), positions]),
      ...(limit === undefined ? [] : [limit]),
    ],
  });
  for (const type of types) {
    for (const [at, row] of rows.entries()) {
      if (typeOfCode(row.type) !== type) continue;
      for (const position of row.positions) answers[position]!.push(at);
      for (const position of row.holding ?? []) holding[position]!.push(at);
    }
  }
  return { objects: rows.map(enclosingObject), answers, ...(reportsHolding && { holding }) };
}

interface EnclosingRow extends Omit<ObjectRow, 'text'> {
  /** Null when it does not fit. */
  readonly text: string | null;
  /** The positions of the resources that the object encloses. */
  readonly positions: number[];
  /** The positions for which it is the smallest object, if it contains others. */
  readonly holding: number[] | null;
}

function enclosingObject(row: EnclosingRow): StoredObject | ObjectId {
  if (row.text !== null) return storedObject(row as ObjectRow);
  return { sourceId: row.source_id, type: typeOfCode(row.type), key: row.key };
}

/** The resources that may lie in objects of a type. */
interface EnclosingSearch {
  readonly type: ObjectTypeName;
  readonly kind: NumberKind;
  /** The positions of the resources. */
  readonly positions: readonly number[];
}

/** The resources that may lie in objects of each type. */
export function searchesFor(types: readonly ObjectTypeName[], resources: readonly Resource[]): EnclosingSearch[] {
  const positionsOf = Map.groupBy(resources.keys(), (position) => kindOf(resources[position]!));
  return types.flatMap((type) =>
    (kindsOfType[type] ?? []).flatMap((kind) => {
      const positions = positionsOf.get(kind);
      return positions ? [{ type, kind, positions }] : [];
    }),
  );
}

/**
 * $1 is the source, $2 and $3 are the bounds, then follow the ranges and the positions of each search, then the limit
 * if there is one. The length of a large text is known without reading it.
 */
function enclosingText(
  searches: readonly EnclosingSearch[],
  scope: EnclosingScope,
  { isLimited, reportsHolding }: { readonly isLimited: boolean; readonly reportsHolding: boolean },
): string {
  const some = (one: string) =>
    isLimited ? `select * from (${one}) o order by o.size, o.key limit $${4 + 2 * searches.length}::integer` : one;
  const found = searches.map(({ type, kind }, at) => {
    const column = columnOfKind[kind];
    const columns = `o.type, o.key, (${sizeOf(column)})::numeric as size${reportsHolding ? `, o.${column} as range` : ''}`;
    return `select wanted.position, o.type, o.key, o.size, ${reportsHolding ? holdsOthers(type, column) : 'false'} as holds
            from unnest($${4 + 2 * at}::text[]::${rangeType(column)}[], $${5 + 2 * at}::integer[]) as wanted (range, position)
            cross join lateral (${some(enclosingOne(type, column, scope, columns))}) o`;
  });
  return `select o.positions, o.holding, ${objectColumnsWith('case when o.bytes <= $2::bigint and o.total <= $3::bigint then o.text end')}
          from (
            select found.positions, found.holding, found.size, o.*, octet_length(o.text) as bytes,
              sum(octet_length(o.text)) filter (where octet_length(o.text) <= $2::bigint)
                over (order by o.type, found.size, o.key) as total
            from (
              select type, key, size, array_agg(position) as positions,
                array_agg(position) filter (where holds) as holding from (${found.join(' union all ')}) found
              group by type, key, size
            ) found
            join object o on o.source_id = $1 and o.type = found.type and o.key = found.key
          ) o
          order by o.type, o.size, o.key`;
}

/** Maximum objects inside another one to check: those of other sources are in the same index. */
const maxLookedAt = 100;

/** Whether `o` is the first one for `wanted` and has others of its type inside. */
function holdsOthers(type: ObjectTypeName, column: Span['column']): string {
  return `row_number() over (partition by wanted.position order by o.size, o.key) = 1 and exists (
              select from (
                select i.source_id from object i
                where i.type = ${typeCodes[type]} and i.${column} <@ o.range and i.${column} <> o.range
                limit ${maxLookedAt}
              ) i where i.source_id = $1
            )`;
}

/** Finds the objects around `wanted.range`. The statement contains the type as text, because its index is partial. */
function enclosingOne(type: ObjectTypeName, column: Span['column'], scope: EnclosingScope, columns: string): string {
  return `select ${columns} from object o
          where o.source_id = $1 and o.type = ${typeCodes[type]} and ${enclosingConditions[scope](column)}
          order by ${sizeOf(column)} ${scope === 'all' ? ', o.key' : 'fetch first 1 rows with ties'}`;
}

/** SQL for the size of the range of a row called `o`. */
export function sizeOf(column: Span['column']): string {
  return `upper(o.${column}) - lower(o.${column})`;
}

/** The range of a resource as a literal. */
export function rangeOf(resource: Resource): string {
  return rangeLiteral(spanOfResource(resource));
}

/** Ranges inside a resource, smaller than it, in address order, larger ones before those inside them. */
interface ContainedQuery {
  readonly text: string;
  readonly values: unknown[];
}

/** The statement of `findContained`; for a cursor when there may be many rows. */
export function containedQuery(sourceId: number, type: ObjectTypeName, resource: Resource): ContainedQuery | undefined {
  const span = spanOfResource(resource);
  const { column } = span;
  if (!columnsOf(type).includes(column)) return undefined;
  return {
    text: `select ${objectColumns}, lower(o.${column}) as lower, upper(o.${column}) as upper from object o
           where o.source_id = $1 and o.type = ${typeCodes[type]}
             and o.${column} <@ $2::${rangeType(column)} and o.${column} <> $2::${rangeType(column)}
           order by lower(o.${column}), upper(o.${column}) desc, o.key`,
    values: [sourceId, rangeLiteral(span)],
  };
}

/** At most `limit` objects of the type inside a resource, without those that have exactly its range. */
export async function findContained(
  db: Db,
  sourceId: number,
  type: ObjectTypeName,
  resource: Resource,
  scope: ContainedScope,
  limit: number,
): Promise<StoredObject[]> {
  const query = containedQuery(sourceId, type, resource);
  if (query === undefined) return [];
  const { rows } = await db.query<ContainedRow>({
    name: `contained-${type}-${spanOfResource(resource).column}`,
    text: `${query.text} limit $3`,
    values: [...query.values, scope === 'all' ? Math.trunc(limit) : null],
  });
  return rows
    .filter(scope === 'all' ? () => true : firstLevel())
    .slice(0, limit)
    .map(storedObject);
}

export interface ContainedRow extends ObjectRow {
  /** bigint or decimal text. */
  lower: bigint | string;
  upper: bigint | string;
}

/** At most `limit` objects that overlap with the resource while neither contains the other. */
export async function findOverlapping(
  db: Db,
  sourceId: number,
  type: ObjectTypeName,
  resource: Resource,
  limit: number,
): Promise<StoredObject[]> {
  const span = spanOfResource(resource);
  const { column, lower, upper } = span;
  if (!columnsOf(type).includes(column)) return [];
  const range = rangeType(column);
  // A partial overlap crosses one of the two bounds.
  const { rows } = await db.query<ObjectRow>({
    name: `overlapping-${type}-${column}`,
    text: `select ${objectColumns} from object o
           where o.source_id = $1 and o.type = ${typeCodes[type]} and not o.${column} @> $2::${range}
             and (o.${column} @> $3::${range} or o.${column} @> $4::${range})
           limit $5`,
    values: [
      sourceId,
      rangeLiteral(span),
      rangeLiteral({ lower: lower - 1n, upper: lower + 1n }),
      rangeLiteral({ lower: upper - 1n, upper: upper + 1n }),
      limit,
    ],
  });
  return rows.map(storedObject);
}

/** The kind of the numbers of a range. AS numbers share a column with IPv4 addresses. */
type NumberKind = 'ipv4' | 'ipv6' | 'as';

/** The column of such numbers. */
export const columnOfKind: Record<NumberKind, Span['column']> = { ipv4: 'span', ipv6: 'span6', as: 'span' };

/** The numbers that objects of a type may register; absent for types without numbers. */
const kindsOfType: { readonly [type in ObjectTypeName]?: readonly NumberKind[] } = {
  inetnum: ['ipv4'],
  inet6num: ['ipv6'],
  route: ['ipv4'],
  route6: ['ipv6'],
  domain: ['ipv4', 'ipv6'],
  'as-block': ['as'],
  'aut-num': ['as'],
};

function kindOf(resource: Resource): NumberKind {
  if ('as' in resource) return 'as';
  return resource.family === 4 ? 'ipv4' : 'ipv6';
}

/** The columns that may hold the range of an object of the type; none for types without numbers. */
export function columnsOf(type: ObjectTypeName): readonly Span['column'][] {
  return (kindsOfType[type] ?? []).map((kind) => columnOfKind[kind]);
}

/** The SQL type of a column. */
export function rangeType(column: Span['column']): string {
  return column === 'span' ? 'int8range' : 'numrange';
}

/**
 * Makes a filter for the outermost ranges. Pass ranges in address order, larger ones first; equal ranges are on one
 * level. Bounds may be bigints or decimal texts.
 */
export function firstLevel(): (row: { lower: bigint | string; upper: bigint | string }) => boolean {
  let cached: { lower: bigint; upper: bigint } | undefined;
  return (row) => {
    const lower = BigInt(row.lower);
    const upper = BigInt(row.upper);
    const same = cached !== undefined && cached.lower === lower && cached.upper === upper;
    if (cached !== undefined && upper <= cached.upper && !same) return false;
    cached = { lower, upper };
    return true;
  };
}
