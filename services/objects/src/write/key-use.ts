import type { KeyRefusal, StoredResult, WriteKey } from '../domain/repeatable.js';
import { nameOfKey } from '../store/names.js';
import { findRepeatable } from '../store/repeatable-writes.js';
import type { Db } from '../store/stored-object.js';

/** The result of the key of a write, instead of the write. */
export type KeyUse = { readonly repeated: readonly StoredResult[] } | { readonly refusedKey: KeyRefusal };

/** The result of a key; undefined when it is free. */
export async function useOfKey(db: Db, key: WriteKey, now: Date): Promise<KeyUse | undefined> {
  const { stored, isExhausted } = await findRepeatable(db, key, now);
  if (stored === undefined) return isExhausted ? { refusedKey: 'too-many' } : undefined;
  return stored.request.equals(key.request) ? { repeated: stored.results } : { refusedKey: 'other-request' };
}

/** The keys of the running writes of this process. */
export type RunningKeys = ReturnType<typeof createRunningKeys>;

export function createRunningKeys() {
  const running = new Set<string>();
  return {
    /** False when a write with the key is running: a retry does not wait. */
    begin(key: WriteKey): boolean {
      const name = nameOfKey(key);
      if (running.has(name)) return false;
      running.add(name);
      return true;
    },
    end: (key: WriteKey): void => void running.delete(nameOfKey(key)),
  };
}
