import { inTransaction, isUnavailable, ServiceError } from '@cadastre/service';
import type pg from 'pg';
import { partition } from '../partition.js';
import { boundOfAddressesExceeded } from '../store/mail-addresses.js';
import { type DecidedWrite, storeWrites, takenStates } from '../store/writes.js';

/** Stores decided writes of this process; groups those that are ready at the same time. */
export type Commits = ReturnType<typeof createCommits>;

/** Bounds of a group, unless one write has more: others wait while it is stored. */
const maxGroup = { writes: 64, changes: 128, bytes: 2 * 1024 * 1024 };

/**
 * The errors (SQLSTATE) after which a write is decided again: keys or handles that became used, and a bound that others
 * reached.
 */
export const decidedAgainStates: readonly string[] = [...takenStates, boundOfAddressesExceeded];

interface Waiting {
  readonly write: DecidedWrite;
  readonly resolve: (first: bigint | 'again') => void;
  readonly reject: (error: unknown) => void;
  readonly signal: AbortSignal;
  readonly onAbort: () => void;
}

export function createCommits(pool: pg.Pool) {
  const queues = new Map<number, SourceQueue>();
  const queueOf = (sourceId: number) => {
    const known = queues.get(sourceId) ?? createQueue(pool, sourceId);
    queues.set(sourceId, known);
    return known;
  };
  return {
    /**
     * Stores a write, and returns the serial of its first change. Returns 'again', and stores nothing, when it must be
     * decided again, because data that it read was written since. The signal has no effect once the storing begins.
     */
    store: (sourceId: number, write: DecidedWrite, signal: AbortSignal): Promise<bigint | 'again'> =>
      queueOf(sourceId).store(write, signal),
    /** Runs work that locks the row of the source by itself: one at a time, between the groups. */
    alone: <T>(sourceId: number, work: () => Promise<T>): Promise<T> => queueOf(sourceId).alone(work),
  };
}

type SourceQueue = ReturnType<typeof createQueue>;

/** The writes of one source. */
function createQueue(pool: pg.Pool, sourceId: number) {
  let waiting: Waiting[] = [];
  const alone: (() => Promise<unknown>)[] = [];
  let isWorking = false;
  let isScheduled = false;

  /** Stores what is ready in one turn of the event loop together. */
  function schedule(): void {
    if (isWorking || isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      void work();
    });
  }

  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    while (waiting.length + alone.length > 0) {
      await alone.shift()?.();
      const group = takeGroup(waiting);
      waiting = waiting.filter((one) => !group.includes(one));
      if (group.length > 0) await storeGroup(group);
    }
    isWorking = false;
  }

  async function storeGroup(group: readonly Waiting[]): Promise<void> {
    for (const { signal, onAbort } of group) signal.removeEventListener('abort', onAbort);
    try {
      const firsts = await commit(group);
      const stored = group.filter((_, at) => firsts[at] !== undefined);
      decideAgain(new Set(stored.flatMap(({ write }) => write.names.written)));
      for (const [at, { resolve }] of group.entries()) resolve(firsts[at] ?? 'again');
    } catch (error) {
      await settle(group, error);
    }
  }

  async function commit(group: readonly Waiting[]): Promise<(bigint | undefined)[]> {
    const writes = group.map(({ write }) => write);
    let isSent = false;
    try {
      // A statement must see what was committed before it.
      return await inTransaction(
        pool,
        (db, commitWith) => {
          isSent = true;
          return commitWith(() => storeWrites(db, sourceId, writes));
        },
        { isolation: 'read committed' },
      );
    } catch (error) {
      throw isSent && isUnavailable(error) && !isRolledBack(error) ? outcomeUnknown(error) : error;
    }
  }

  /** An error that belongs to one write must not fail the others. */
  async function settle(group: readonly Waiting[], error: unknown): Promise<void> {
    if (isUnavailable(error) || error instanceof ServiceError) {
      for (const { reject } of group) reject(error);
    } else if (group.length > 1) {
      for (const one of group) await storeGroup([one]);
    } else if (decidedAgainStates.includes((error as { code?: string }).code ?? '')) {
      group[0]!.resolve('again');
    } else {
      group[0]!.reject(error);
    }
  }

  /** Sends back the waiting writes that read what was just written: to store them would fail. */
  function decideAgain(written: ReadonlySet<string>): void {
    const [outdated, current] = partition(waiting, ({ write }) => write.names.read.some((name) => written.has(name)));
    waiting = current;
    for (const { resolve, signal, onAbort } of outdated) {
      signal.removeEventListener('abort', onAbort);
      resolve('again');
    }
  }

  return {
    async store(write: DecidedWrite, signal: AbortSignal): Promise<bigint | 'again'> {
      signal.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<bigint | 'again'>();
      const onAbort = () => {
        waiting = waiting.filter((other) => other !== one);
        reject(signal.reason);
      };
      const one = { write, resolve, reject, signal, onAbort };
      signal.addEventListener('abort', onAbort);
      waiting.push(one);
      schedule();
      return promise;
    },
    alone: <T>(run: () => Promise<T>) =>
      new Promise<T>((resolve, reject) => {
        alone.push(() => run().then(resolve, reject));
        schedule();
      }),
  };
}

/** Errors (SQLSTATE) of an unavailable database that report that it stored nothing. */
const rolledBackStates: readonly string[] = ['57014', '53300', '25006', '25P03'];

function isRolledBack(error: unknown): boolean {
  return rolledBackStates.includes((error as { code?: string }).code ?? '');
}

/** The connection was lost at the commit. */
function outcomeUnknown(cause: unknown): ServiceError {
  const text = 'Service temporarily unavailable: whether the write was made is not known';
  return new ServiceError('unavailable', text, { cause });
}

/** The first of the waiting writes, without those that read what an earlier one writes. */
function takeGroup(waiting: readonly Waiting[]): Waiting[] {
  const written = new Set<string>();
  const group: Waiting[] = [];
  let [changes, bytes] = [0, 0];
  for (const one of waiting) {
    const { names, changes: more } = one.write;
    changes += more.length;
    bytes += more.reduce((sum, change) => sum + ('state' in change ? change.state.text.length : 0), 0);
    const isFull = group.length >= maxGroup.writes || changes > maxGroup.changes || bytes > maxGroup.bytes;
    if (group.length > 0 && isFull) break;
    if (names.read.some((name) => written.has(name))) continue;
    for (const name of names.written) written.add(name);
    group.push(one);
  }
  return group;
}
