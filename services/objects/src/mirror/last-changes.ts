import { rowsAt } from '../load/accept-part.js';
import { createKeySet, type KeyHash, type KeySet, keyHash } from '../load/key-set.js';
import { namedKey } from '../load/read-object.js';
import type { PlacedState } from '../load/read-part.js';
import type { ObjectRows } from '../store/object-rows.js';
import type { Deletion, ReadChanges } from './read-changes.js';

/** The changes of a part to store. No other part has the same keys. */
export interface LastChanges {
  readonly rows: ObjectRows;
  readonly keyCerts: readonly PlacedState[];
  readonly deletions: readonly Deletion[];
}

/** Selects the last change of each object. `salt` is that of the hashes in the parts. */
export function lastChanges(parts: readonly ReadChanges[], salt: string): LastChanges[] {
  const later = createKeySet(salt);
  return parts
    .toReversed()
    .map((part) => lastOfPart(part, later))
    .toReversed();
}

/** Selects the changes whose keys have no later change, and adds their keys to the set. */
function lastOfPart({ puts, deletions }: ReadChanges, later: KeySet): LastChanges {
  const placeAt = (place: number) => puts.lines[place]!;
  const hashOf = (id: { readonly type: string; readonly key: string }) => keyHash(later.salt, namedKey(id));
  const placed: (readonly [number, KeyHash])[] = [
    ...Array.from(puts.places, (place, index) => {
      const hash = { high: puts.hashes[2 * index]!, low: puts.hashes[2 * index + 1]! };
      return [placeAt(place), hash] as const;
    }),
    ...puts.keyCerts.map((state) => [placeAt(state.place), hashOf(state)] as const),
    ...deletions.map((one) => [one.place, hashOf(one)] as const),
  ];
  placed.sort(([one], [other]) => other - one);
  const last = new Set(placed.filter(([, { high, low }]) => later.addHash(high, low)).map(([place]) => place));
  const indexes = [...puts.places.keys()].filter((index) => last.has(placeAt(puts.places[index]!)));
  const { buffer, byteOffset, length } = puts.rows;
  return {
    rows: rowsAt(Buffer.from(buffer, byteOffset, length), puts.starts, indexes),
    keyCerts: puts.keyCerts.filter((state) => last.has(placeAt(state.place))),
    deletions: deletions.filter((one) => last.has(one.place)),
  };
}
