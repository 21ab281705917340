import type { ObjectTypeName } from '@cadastre/rpsl';
import { hash64 } from '@cadastre/service/hash64';
import type { WriteKey } from '../domain/repeatable.js';
import type { HandleParts, Stem } from './handle-names.js';
import { referenceClass } from './references.js';
import type { Db } from './stored-object.js';

/** The name of a lock within one source. */
export type LockName = string;

/** Locks to take; one that is named in both ways is exclusive. */
export interface LockNames {
  readonly exclusive: readonly LockName[];
  readonly shared: readonly LockName[];
}

/** The lock of all objects with this key. */
export function objectLock(types: readonly ObjectTypeName[], key: string): LockName {
  return `${referenceClass(types)}:${key}`;
}

/** A tree of ranges. */
type Space = 'ipv4' | 'ipv6' | 'as' | 'domain' | 'route' | 'route6';

/** The lock for adding to or removing from a tree of ranges. */
export function hierarchyLock(space: Space): LockName {
  return `hierarchy:${space}`;
}

/** The lock of a part of a tree: the addresses that begin with these bits, so many as `length`. */
export function blockLock(space: Space, family: 4 | 6, length: number, bits: bigint): LockName {
  return `hierarchy:${space}:${family}:${length}:${bits}`;
}

/** The lock of the numbers of a stem of handles: exclusive to choose one, shared to take a given one. */
export function stemLock({ kind, stem }: Stem): LockName {
  return `handles:${kind}:${stem}`;
}

/** The lock of one number of a stem. */
export function numberLock({ kind, stem, number }: HandleParts): LockName {
  return `handle:${kind}:${stem}:${number}`;
}

/** The lock of a key under which an account may repeat a write. */
export function keyLock({ account, key }: WriteKey): LockName {
  return `key:${account.toString('hex')}:${key.toString('hex')}`;
}

/** First numbers of two-number advisory locks; named locks use the one-number (64-bit) form. */
const sourceLockClass = 1;
const loadLockClass = 2;

/**
 * Takes the locks of a write until the transaction ends: first the source's (shared; a batch of a bulk load takes it
 * exclusively), then the named ones in one global order. What the transaction reads afterwards holds until the commit.
 */
export async function lockForWrite(db: Db, sourceId: number, locks: LockNames): Promise<void> {
  const modes = lockModes(sourceId, locks);
  await db.query({
    name: 'lock-for-write',
    // unnest returns rows in array order, so the locks are taken in that order.
    text: `select case when id is null then pg_advisory_xact_lock_shared($1, $2)
             when alone then pg_advisory_xact_lock(id) else pg_advisory_xact_lock_shared(id) end
           from unnest($3::bigint[], $4::boolean[]) as lock (id, alone)`,
    values: [
      sourceLockClass,
      sourceId,
      [null, ...modes.map(([id]) => id)],
      [false, ...modes.map(([, alone]) => alone)],
    ],
  });
}

/**
 * Takes more locks, shared, for a transaction that has its locks already; false when another transaction has one of
 * them. It does not wait, so it may take them in any order.
 */
export async function tryLockShared(db: Db, sourceId: number, names: readonly LockName[]): Promise<boolean> {
  const { rows } = await db.query<{ taken: boolean }>({
    name: 'try-lock-shared',
    text: 'select bool_and(pg_try_advisory_xact_lock_shared(id)) as taken from unnest($1::bigint[]) as lock (id)',
    values: [lockModes(sourceId, { exclusive: [], shared: names }).map(([id]) => id)],
  });
  return rows[0]!.taken;
}

/** Takes a lock until the transaction ends, without waiting; false when another transaction has it. */
export async function tryLockAlone(db: Db, sourceId: number, name: LockName): Promise<boolean> {
  const { rows } = await db.query<{ taken: boolean }>({
    name: 'try-lock-alone',
    text: 'select pg_try_advisory_xact_lock($1) as taken',
    values: [hash64(`${sourceId}:${name}`)],
  });
  return rows[0]!.taken;
}

/** Takes the locks of handles until the transaction ends: after all that others wait for, in one global order. */
export async function lockHandles(db: Db, sourceId: number, locks: LockNames): Promise<void> {
  const modes = lockModes(sourceId, locks);
  if (modes.length === 0) return;
  await db.query({
    name: 'lock-handles',
    text: `select case when alone then pg_advisory_xact_lock(id) else pg_advisory_xact_lock_shared(id) end
           from unnest($1::bigint[], $2::boolean[]) as lock (id, alone)`,
    values: [modes.map(([id]) => id), modes.map(([, alone]) => alone)],
  });
}

function lockModes(sourceId: number, locks: LockNames): (readonly [bigint, boolean])[] {
  const modes = new Map<bigint, boolean>();
  for (const name of locks.shared) modes.set(hash64(`${sourceId}:${name}`), false);
  for (const name of locks.exclusive) modes.set(hash64(`${sourceId}:${name}`), true);
  return [...modes].sort(([a], [b]) => (a < b ? -1 : 1));
}

/**
 * Blocks all other writes of a source until the transaction ends. PostgreSQL ends one that waits ten seconds for its next
 * statement, because its process hangs.
 */
export async function lockSourceAlone(db: Db, sourceId: number): Promise<void> {
  await db.query(
    `select pg_advisory_xact_lock($1, $2), set_config('idle_in_transaction_session_timeout', '10s', true)`,
    [sourceLockClass, sourceId],
  );
}

/** Takes the load lock of a source for the lifetime of the connection; false when another load has it. */
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
