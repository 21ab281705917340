import { type ObjectTypeName, primaryKey, type RpslObject } from '@cadastre/rpsl';
import { objectName } from '../domain/known-objects.js';
import { nameOfObject, type WriteName } from '../store/names.js';
import { loadObjectsOfEach } from '../store/objects.js';
import { normalisedStored } from '../store/parse-stored.js';
import type { StoredObject } from '../store/stored-object.js';
import type { Loading } from './loading.js';

/** Type and key of an object in the source of the write. */
export interface ObjectAddress {
  readonly type: ObjectTypeName;
  /** Folded. */
  readonly key: string;
}

export function addressOf(object: RpslObject): ObjectAddress {
  const key = primaryKey(object);
  return { type: object.type, key: 'folded' in key ? key.folded : '' };
}

/** The loaded state of some keys: `rows` include deleted objects, `objects` only existing ones. */
export interface Loaded {
  readonly rows: ReadonlyMap<string, StoredObject>;
  readonly objects: ReadonlyMap<string, RpslObject>;
  /** The names of all requested keys. */
  readonly names: ReadonlySet<WriteName>;
}

export const nothingLoaded: Loaded = { rows: new Map(), objects: new Map(), names: new Set() };

/** Loads the missing addresses, and returns everything loaded. */
export async function loadMore(
  db: Loading,
  sourceId: number,
  loaded: Loaded,
  addresses: readonly ObjectAddress[],
): Promise<Loaded> {
  const wanted = new Map(addresses.map((address) => [objectName(address.type, address.key), address]));
  const missing = [...wanted].filter(([name]) => !loaded.rows.has(name));
  const ids = missing.map(([, address]) => ({ sourceId, ...address }));
  const found = ids.length === 0 ? [] : await db.ask(loadObjectsOfEach, ids);
  const rows = found.filter((row) => row !== undefined);
  const live = rows.filter((row) => !row.deleted);
  return {
    rows: new Map([...loaded.rows, ...rows.map((row) => [objectName(row.type, row.key), row] as const)]),
    objects: new Map([
      ...loaded.objects,
      ...live.map((row) => [objectName(row.type, row.key), normalisedStored(row)] as const),
    ]),
    names: new Set([...loaded.names, ...addresses.map(({ type, key }) => nameOfObject([type], key))]),
  };
}
