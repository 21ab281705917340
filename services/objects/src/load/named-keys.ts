import type { LoadedKeys } from '@cadastre/proto/objects';
import { createKeySet, type KeyHash, type KeySet } from './key-set.js';

/** All keys in a dump so far, accepted or not. */
export interface NamedKeys {
  readonly accepted: KeySet;
  readonly rejected: KeySet;
  /** The mntners and irts that its objects name, as in `LoadedObject.references`. */
  readonly maintainers: Set<string>;
}

/** `salt` is that of a load to resume. */
export function noNamedKeys(salt?: string): NamedKeys {
  const accepted = createKeySet(salt);
  return { accepted, rejected: createKeySet(accepted.salt), maintainers: new Set() };
}

/** Adds the keys that a broken load had read. */
export function addLoadedKeys(named: NamedKeys, { accepted, rejected, maintainers }: LoadedKeys): void {
  for (const { high, low } of hashesOf(accepted)) named.accepted.addHash(high, low);
  for (const { high, low } of hashesOf(rejected)) named.rejected.addHash(high, low);
  for (const one of maintainers) named.maintainers.add(one);
}

const hashBytes = 8;

/** Decodes the hashes in `LoadedKeys`. */
export function bytesOfHashes(hashes: readonly KeyHash[]): Buffer {
  const bytes = Buffer.allocUnsafeSlow(hashes.length * hashBytes);
  for (const [index, { high, low }] of hashes.entries()) {
    bytes.writeUInt32BE(high, index * hashBytes);
    bytes.writeUInt32BE(low, index * hashBytes + 4);
  }
  return bytes;
}

function* hashesOf(bytes: Buffer): Generator<KeyHash> {
  for (let at = 0; at + hashBytes <= bytes.length; at += hashBytes) {
    yield { high: bytes.readUInt32BE(at), low: bytes.readUInt32BE(at + 4) };
  }
}
