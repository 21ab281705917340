import { hasAutoKey } from '../domain/auto-key.js';
import type { Wellformed } from '../domain/change.js';
import { nameOfObject, type WriteName } from '../store/names.js';
import { treeNames } from './tree-names.js';

/**
 * Runs writes of this process that certainly conflict one after the other: otherwise all but the first would be decided
 * again. This saves work; correctness does not depend on it, because other processes write as well.
 */
export type WriteTurns = ReturnType<typeof createWriteTurns>;

export function createWriteTurns() {
  /** The end of the last write with each name. */
  const last = new Map<WriteName, Promise<void>>();
  return {
    /** Waits for the earlier writes with one of these names. Returns the function that ends the turn. */
    async take(names: readonly WriteName[], signal: AbortSignal): Promise<() => void> {
      signal.throwIfAborted();
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      const before = Promise.all(names.flatMap((name) => last.get(name) ?? []));
      for (const name of names) last.set(name, ended);
      const release = () => {
        for (const name of names) if (last.get(name) === ended) last.delete(name);
        end();
      };
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      const abort = () => reject(signal.reason);
      signal.addEventListener('abort', abort);
      try {
        await Promise.race([before, aborted]);
      } catch (error) {
        void before.then(release);
        throw error;
      } finally {
        signal.removeEventListener('abort', abort);
      }
      return release;
    },
  };
}

/** The names that changes always write, as far as they are known before anything is loaded. */
export function turnNames(changes: readonly Wellformed[]): WriteName[] {
  const names = changes.flatMap((change) => {
    const own = hasAutoKey(change.type, change.key.folded) ? [] : [nameOfObject([change.type], change.key.folded)];
    return change.verb === 'create' ? [...own, ...treeNames(change.object).written.slice(0, 1)] : own;
  });
  return [...new Set(names)];
}
