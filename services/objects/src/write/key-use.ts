import { together } from '@cadastre/service';
import type { KeyRefusal, StoredResult, WriteKey } from '../domain/repeatable.js';
import { keyLock, tryLockAlone } from '../store/locks.js';
import { findRepeatable } from '../store/repeatable-writes.js';
import type { Source } from '../store/sources.js';
import type { Db } from '../store/stored-object.js';

/** What the key of a write leads to instead of the write. */
export type KeyUse = { readonly repeated: readonly StoredResult[] } | { readonly refusedKey: KeyRefusal };

/** What a key leads to; undefined when it is free. */
export async function useOfKey(db: Db, key: WriteKey, now: Date): Promise<KeyUse | undefined> {
  const { kept, isExhausted } = await findRepeatable(db, key, now);
  if (kept === undefined) return isExhausted ? { refusedKey: 'too-many' } : undefined;
  return kept.request.equals(key.request) ? { repeated: kept.results } : { refusedKey: 'other-request' };
}

/** The same, and keeps others from using the key until the transaction ends: without waiting, which may cost them much. */
export async function takeKey(db: Db, { id }: Source, key: WriteKey, now: Date): Promise<KeyUse | undefined> {
  // The second statement sees what was committed before the first one took the lock.
  const [isTaken, use] = await together(tryLockAlone(db, id, keyLock(key)), useOfKey(db, key, now));
  return isTaken ? use : { refusedKey: 'running' };
}
