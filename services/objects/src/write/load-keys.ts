import { type RpslObject, valuesOf } from '@cadastre/rpsl';
import { type KeyFingerprints, keyCertName } from '../domain/authenticate.js';
import { readKeyFingerprint } from '../domain/certificates/read-certificate.js';
import type { Principal } from '../domain/principal.js';
import type { Db } from '../store/stored-object.js';
import { type Loaded, loadMore } from './load-objects.js';

/** Loads the key-certs that the loaded mntners and irts name, if the caller holds any keys to compare with theirs. */
export async function loadKeys(
  db: Db,
  sourceId: number,
  candidates: Loaded,
  principal: Pick<Principal, 'keyFingerprints'> | undefined,
): Promise<{ loaded: Loaded; keys: KeyFingerprints }> {
  if (principal === undefined || principal.keyFingerprints.length === 0) {
    return { loaded: candidates, keys: new Map() };
  }
  const names = [...candidates.objects.values()].flatMap(keyCertNames);
  const loaded = await loadMore(
    db,
    sourceId,
    candidates,
    names.map((key) => ({ type: 'key-cert', key })),
  );
  return { loaded, keys: readKeys(loaded.objects) };
}

/** The same for one object, of a lookup. */
export async function loadKeysOf(
  db: Db,
  sourceId: number,
  object: RpslObject,
  principal: Pick<Principal, 'keyFingerprints'>,
): Promise<KeyFingerprints> {
  const objects = new Map([[object.type, object]]);
  return (await loadKeys(db, sourceId, { rows: new Map(), objects }, principal)).keys;
}

function keyCertNames(object: RpslObject): string[] {
  return object.type === 'mntner' || object.type === 'irt'
    ? valuesOf(object, 'auth').flatMap((auth) => keyCertName(auth) ?? [])
    : [];
}

function readKeys(objects: Loaded['objects']): KeyFingerprints {
  const keys = new Map<string, string>();
  for (const object of objects.values()) {
    const fingerprint = object.type === 'key-cert' ? readKeyFingerprint(object) : undefined;
    if (fingerprint !== undefined) {
      keys.set(valuesOf(object, 'key-cert')[0]!.toLowerCase(), fingerprint);
    }
  }
  return keys;
}
