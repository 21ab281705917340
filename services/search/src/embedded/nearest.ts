import type { Range } from '@cadastre/query';
import type { ObjectTypeName } from '@cadastre/rpsl';
import { type FoundNearest, type IndexedObject, maximalPage } from '../index-port.js';
import { rangeMatches, twoNearest } from './range-matches.js';
import { type Naming, readObjects, type Tables } from './tables.js';

/** See `SearchIndex.nearest`. */
export function nearest(
  tables: Tables,
  source: string,
  types: readonly ObjectTypeName[],
  ranges: readonly Range[],
): FoundNearest | undefined {
  const found: { readonly id: number; readonly type: ObjectTypeName }[] = [];
  const positions = new Map<number, number>();
  const answers = ranges.map((range) => {
    const all = types
      .filter((type) => mayContain(type, range))
      .map((type) => ({ type, ...twoNearest(tables, type, range) }));
    const own = all.flatMap(({ type, matches }) =>
      matches.map(({ id }) => {
        const known = positions.get(id) ?? found.push({ id, type }) - 1;
        positions.set(id, known);
        return known;
      }),
    );
    return { positions: own, holding: all.find(({ matches }) => matches.length > 0)?.holding ?? false };
  });
  const { objects, read } = readObjects(tables, source, found, byId);
  return read < found.length ? undefined : { objects, answers };
}

/** See `StateReads.enclosing`. */
export function enclosingObjects(
  tables: Tables,
  source: string,
  type: ObjectTypeName,
  range: Range,
): readonly IndexedObject[] | undefined {
  const { matches, next } = rangeMatches(
    tables,
    { kind: 'range', type, range, mode: 'all-less' },
    undefined,
    maximalPage,
  );
  const found = matches.map(({ id }) => ({ id, type }));
  const { objects, read } = readObjects(tables, source, found, byId);
  return next !== undefined || read < found.length ? undefined : objects;
}

/** Whether objects of a type may have these addresses. */
function mayContain(type: ObjectTypeName, { space }: Range): boolean {
  return space === 'ipv4' ? type !== 'inet6num' : type !== 'inetnum';
}

const byId: Naming<{ readonly id: number; readonly type: ObjectTypeName }> = {
  where: 'id = ?',
  valuesOf: ({ id }) => [id],
  typeOf: ({ type }) => type,
};
