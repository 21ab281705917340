import { normalise, type ObjectTypeName, parseObject, type RpslObject } from '@cadastre/rpsl';
import { objectName } from '../domain/known-objects.js';
import { loadObjects } from '../store/objects.js';
import type { Db, StoredObject } from '../store/stored-object.js';

/** The address of an object inside the source that is written to. */
export interface ObjectAddress {
  readonly type: ObjectTypeName;
  /** Folded. */
  readonly key: string;
}

/** What is stored under some keys: rows also of deleted objects, objects only of those that exist. */
export interface Loaded {
  readonly rows: ReadonlyMap<string, StoredObject>;
  readonly objects: ReadonlyMap<string, RpslObject>;
}

export const nothingLoaded: Loaded = { rows: new Map(), objects: new Map() };

/** Loads what is not loaded yet, and tells all of it. */
export async function loadMore(
  db: Db,
  sourceId: number,
  loaded: Loaded,
  addresses: readonly ObjectAddress[],
): Promise<Loaded> {
  const wanted = new Map(addresses.map((address) => [objectName(address.type, address.key), address]));
  const missing = [...wanted].filter(([name]) => !loaded.rows.has(name));
  const found = await loadObjects(
    db,
    missing.map(([, address]) => ({ sourceId, ...address })),
  );
  const rows = found.filter((row) => row !== undefined);
  const live = rows.filter((row) => !row.deleted);
  return {
    rows: new Map([...loaded.rows, ...rows.map((row) => [objectName(row.type, row.key), row] as const)]),
    objects: new Map([...loaded.objects, ...live.map((row) => [objectName(row.type, row.key), stateOf(row)] as const)]),
  };
}

/** The object of a stored text, in the form in which submitted ones are compared with it. */
export function stateOf(row: StoredObject): RpslObject {
  const parsed = parseObject(row.text);
  if (!parsed.ok) {
    throw new Error(`stored object ${row.type} ${row.key} does not parse`);
  }
  return normalise(parsed.object).object;
}
