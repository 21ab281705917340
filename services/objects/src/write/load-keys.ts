import { type RpslObject, valuesOf } from '@cadastre/rpsl';
import { type KeyFingerprints, keyCertName } from '../domain/authenticate.js';
import { readKeyFingerprint } from '../domain/certificates/read-certificate.js';
import type { Principal } from '../domain/principal.js';
import type { Db } from '../store/stored-object.js';
import { type Loaded, loadMore, nothingLoaded, type ObjectAddress } from './load-objects.js';
import { loadingAlone } from './loading.js';

/** The key-certs that mntners and irts name, if the caller holds any keys to compare with theirs. */
export function keyCertsOf({ objects }: Pick<Loaded, 'objects'>, { keyFingerprints }: KeyHolder): ObjectAddress[] {
  if (keyFingerprints.length === 0) {
    return [];
  }
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
    if (fingerprint !== undefined) {
      keys.set(valuesOf(object, 'key-cert')[0]!.toLowerCase(), fingerprint);
    }
  }
  return keys;
}
