import type { ObjectTypeName, Resource } from '@cadastre/rpsl';
import { firstLevel } from './first-level.js';
import { rangeLiteral, type Span, spanOfResource } from './spans.js';
import {
  type Db,
  type ObjectId,
  type ObjectRow,
  objectColumns,
  type StoredObject,
  storedObject,
} from './stored-object.js';
import { typeCodes, typeOfCode } from './type-codes.js';

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

/** For each resource the objects of these types that enclose it, type by type, smallest first. */
export async function findEnclosing(
  db: Db,
  sourceId: number,
  types: readonly ObjectTypeName[],
  resources: readonly Resource[],
  scope: EnclosingScope,
): Promise<StoredObject[][]> {
  const found = await enclosingRows<ObjectRow>(db, sourceId, { types, resources, scope, columns: objectColumns });
  return found.map((rows) => rows.map(storedObject));
}

/** The same without the objects: reads no texts. */
export async function findEnclosingIds(
  db: Db,
  sourceId: number,
  types: readonly ObjectTypeName[],
  resources: readonly Resource[],
  scope: EnclosingScope,
): Promise<ObjectId[][]> {
  const found = await enclosingRows<IdRow>(db, sourceId, { types, resources, scope, columns: 'o.type, o.key' });
  return found.map((rows) => rows.map(({ type, key }) => ({ sourceId, type: typeOfCode(type), key })));
}

type IdRow = Pick<ObjectRow, 'type' | 'key'>;

interface EnclosingQuery {
  readonly types: readonly ObjectTypeName[];
  readonly resources: readonly Resource[];
  readonly scope: EnclosingScope;
  /** The columns to select from a row of `object` called `o`. */
  readonly columns: string;
}

async function enclosingRows<R extends IdRow>(
  db: Db,
  sourceId: number,
  { types, resources, scope, columns }: EnclosingQuery,
): Promise<R[][]> {
  const found: R[][] = resources.map(() => []);
  const spans = resources.map(spanOfResource);
  for (const type of types) {
    for (const column of ['span', 'span6'] as const) {
      const positions = [...spans.keys()].filter((position) => spans[position]!.column === column);
      if (positions.length === 0 || !columnsOf(type).includes(column)) continue;
      const { rows } = await db.query<R & { position: bigint }>({
        name: `enclosing-${columns === objectColumns ? 'objects' : 'ids'}-${scope}-${type}-${column}`,
        text: enclosingText(type, column, scope, columns),
        values: [sourceId, positions.map((at) => rangeLiteral(spans[at]!))],
      });
      for (const row of rows) found[positions[Number(row.position) - 1]!]!.push(row);
    }
  }
  return found;
}

/** The statement holds the type as text, because its index is partial. */
function enclosingText(type: ObjectTypeName, column: Span['column'], scope: EnclosingScope, columns: string): string {
  const size = `upper(o.${column}) - lower(o.${column})`;
  return `select wanted.position, o.*
          from unnest($2::text[]::${rangeType(column)}[]) with ordinality as wanted (range, position)
          cross join lateral (
            select ${columns} from object o
            where o.source_id = $1 and o.type = ${typeCodes[type]} and ${enclosingConditions[scope](column)}
            order by ${size} ${scope === 'all' ? ', o.key' : 'fetch first 1 rows with ties'}
          ) o`;
}

/** Ranges inside a resource, smaller than it, in address order, larger ones before those inside them. */
export interface ContainedQuery {
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
  const text = scope === 'all' ? `${query.text} limit ${Math.trunc(limit)}` : query.text;
  const { rows } = await db.query<ContainedRow>(text, query.values);
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

const typeColumns: { readonly [type in ObjectTypeName]?: readonly Span['column'][] } = {
  inetnum: ['span'],
  inet6num: ['span6'],
  route: ['span'],
  route6: ['span6'],
  domain: ['span', 'span6'],
  'as-block': ['span'],
  'aut-num': ['span'],
};

/** The columns that may hold the range of an object of the type; none for types without numbers. */
function columnsOf(type: ObjectTypeName): readonly Span['column'][] {
  return typeColumns[type] ?? [];
}

function rangeType(column: Span['column']): string {
  return column === 'span' ? 'int8range' : 'numrange';
}
