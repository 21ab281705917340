import { type ObjectTypeName, primaryKey, type RpslObject, valuesOf } from '@cadastre/rpsl';
import { type KeyFingerprints, keyCertName, type Principal } from '../domain/authenticate.js';
import { readKeyFingerprint } from '../domain/certificates/read-certificate.js';
import { objectName } from '../domain/known-objects.js';
import { nameOfObject, type WriteName } from '../store/names.js';
import { loadObjectsOfEach } from '../store/objects.js';
import { type Db, normalisedStored, type StoredObject } from '../store/stored-object.js';
import { type Loading, loadingAlone } from './loading.js';

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

/** The key-certs that mntners and irts name, if the caller holds any keys to compare with theirs. */
export function keyCertsOf({ objects }: Pick<Loaded, 'objects'>, { keyFingerprints }: KeyHolder): ObjectAddress[] {
  if (keyFingerprints.length === 0) return [];
  return [...objects.values()].flatMap(keyCertNames).map((key) => ({ type: 'key-cert', key }));
}

type KeyHolder = Pick<Principal, 'keyFingerprints'>;

/** The keys that an object of a lookup names. */
export async function loadKeysOf(
  db: Db,
  sourceId: number,
  object: RpslObject,
  principal: KeyHolder,
): Promise<KeyFingerprints> {
  const candidates = { ...nothingLoaded, objects: new Map([[object.type, object]]) };
  return readKeys(await loadMore(loadingAlone(db), sourceId, candidates, keyCertsOf(candidates, principal)), principal);
}

function keyCertNames(object: RpslObject): string[] {
  return object.type === 'mntner' || object.type === 'irt'
    ? valuesOf(object, 'auth').flatMap((auth) => keyCertName(auth) ?? [])
    : [];
}

/** The keys of the loaded key-certs; empty when the caller holds none. */
export function readKeys({ objects }: Loaded, { keyFingerprints }: KeyHolder): KeyFingerprints {
  const keys = new Map<string, string>();
  const read = keyFingerprints.length === 0 ? [] : objects.values();
  for (const object of read) {
    const fingerprint = object.type === 'key-cert' ? readKeyFingerprint(object) : undefined;
    if (fingerprint !== undefined) keys.set(valuesOf(object, 'key-cert')[0]!.toLowerCase(), fingerprint);
  }
  return keys;
}
