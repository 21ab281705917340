import type { ObjectTypeName } from '@cadastre/rpsl';
import { hash64 } from '@cadastre/service/hash64';
import type { WriteKey } from '../domain/repeatable.js';
import type { HandleParts } from './handles.js';
import { referenceClass } from './references.js';
import type { Db } from './stored-object.js';

/**
 * The name of something in a source that writes read and write. A write is not stored when another one, committed since
 * it was decided, has written what it read.
 */
export type LockName = string;

/** The names that a write, or a part of it, reads and writes. */
export interface LockNames {
  readonly read: readonly LockName[];
  readonly written: readonly LockName[];
}

/** The name of all objects with this key. */
export function objectLock(types: readonly ObjectTypeName[], key: string): LockName {
  return `${referenceClass(types)}:${key}`;
}

/** A tree of ranges. */
type Space = 'ipv4' | 'ipv6' | 'as' | 'domain' | 'route' | 'route6';

/** The name of a tree of ranges. */
export function hierarchyLock(space: Space): LockName {
  return `hierarchy:${space}`;
}

/** The name of a part of a tree: the addresses whose first `length` bits are these. */
export function blockLock(space: Space, family: 4 | 6, length: number, bits: bigint): LockName {
  return `hierarchy:${space}:${family}:${length}:${bits}`;
}

/** The name of one number of a stem of handles. */
export function numberLock({ kind, stem, number }: HandleParts): LockName {
  return `handle:${kind}:${stem}:${number}`;
}

/** The name of a key with which an account may retry a write. */
export function keyLock({ account, key }: WriteKey): LockName {
  return `key:${account.toString('hex')}:${key.toString('hex')}`;
}

/** Everything below a name: references to an object, ranges inside a block. */
export function below(name: LockName): LockName {
  return `below:${name}`;
}

/** The names in the form of `change.locks`; collisions only cause unnecessary refusals. */
export function namesLiteral(names: Iterable<LockName>): string {
  return `{${[...new Set(names)].map(hash64).join()}}`;
}

/**
 * Locks the row of a source until the transaction ends, as every writer does first: so writes commit one after the
 * other, and a later statement of the transaction reads the state at its commit. A statement that locks the row and
 * also reads would not see what was committed while it waited.
 */
export async function lockSource(db: Db, sourceId: number): Promise<void> {
  await db.query({
    name: 'lock-source',
    text: 'select from source where id = $1 for update',
    values: [sourceId],
  });
}

/**
 * The same for a load. PostgreSQL ends one that waits ten seconds for its next statement, because its process hangs.
 */
export async function lockSourceAlone(db: Db, sourceId: number): Promise<void> {
  await db.query(
    `select set_config('idle_in_transaction_session_timeout', '10s', true) from source where id = $1 for update`,
    [sourceId],
  );
}

/** First number of the two-number advisory lock of a load. */
const loadLockClass = 2;

/** Acquires the load lock of a source for the lifetime of the connection; false when another load has it. */
export async function tryLockLoad(db: Db, sourceId: number): Promise<boolean> {
  const { rows } = await db.query<{ taken: boolean }>('select pg_try_advisory_lock($1, $2) as taken', [
    loadLockClass,
    sourceId,
  ]);
  return rows[0]!.taken;
}

/** Releases the load lock. */
export async function unlockLoad(db: Db, sourceId: number): Promise<void> {
  await db.query('select pg_advisory_unlock($1, $2)', [loadLockClass, sourceId]);
}
