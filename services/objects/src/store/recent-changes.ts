import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { ChangeSignal } from './change-signal.js';
import { type ChangePage, farBehind, readChanges, type StoredChange } from './changes.js';
import { pageLimits } from './stored-object.js';

/** The newest changes of a source, which this process reads once for all followers. */
export type RecentChanges = ReturnType<typeof createRecentChanges>;

/** Maximum cached changes for followers that are slightly behind. */
const maxEntries = { changes: 1_000, bytes: 4 * 1024 * 1024 };

/** Maximum delay of a change whose notification (NOTIFY) was lost. */
export const pollMs = 2000;

/** Every read costs each follower a message, and the index a transaction. */
const gatherMs = 5;

/** Reads only while a follower waits for more. */
export function createRecentChanges(pool: pg.Pool, signal: ChangeSignal, sourceId: number) {
  let following = 0;
  let retained: StoredChange[] = [];
  let retainedBytes = 0;
  // Changes after `start` up to `end` are cached.
  let start = 0n;
  let end = 0n;
  let reading: Promise<void> | undefined;
  /** The generation of the signal up to which everything was read; undefined when there may be more. */
  let seen: number | undefined;
  let newsAt = 0;
  /** The interruptions of the signal when the first cached change was read. */
  let interruptions = signal.interruptions();

  function restart(serial: bigint): void {
    retained = [];
    retainedBytes = 0;
    start = serial;
    end = serial;
    seen = undefined;
    interruptions = signal.interruptions();
  }

  function keep(change: StoredChange): void {
    retained.push(change);
    retainedBytes += change.stored.text.length;
    while (retained.length > maxEntries.changes || retainedBytes > maxEntries.bytes) {
      const dropped = retained.shift()!;
      retainedBytes -= dropped.stored.text.length;
      start = dropped.serial;
    }
  }

  /** A change after a pause is read immediately; those that follow it within a few milliseconds are read together. */
  async function gathered(): Promise<void> {
    const leftMs = newsAt + gatherMs - performance.now();
    if (leftMs >= 1) await delay(leftMs);
  }

  async function readOn(): Promise<void> {
    if (seen !== undefined) await signal.wait(sourceId, seen, pollMs, never);
    await gathered();
    if (signal.stopped()) return;
    const generation = signal.generation(sourceId);
    const after = end;
    const page = await readChanges(pool, sourceId, { after, latestOnly: false });
    if (end !== after || interruptions !== signal.interruptions()) return; // restarted meanwhile, or soon
    seen = page.isLast ? generation : undefined;
    if (page.isLast && page.serial > after) newsAt = performance.now();
    // Changes were removed, or a load made millions: each follower reads for itself.
    if (!page.isComplete || page.newest - after > farBehind) return restart(page.newest);
    for (const change of page.changes) keep(change);
    end = page.serial;
  }

  /** All waiting followers share one read. */
  function more(): Promise<void> {
    if (reading === undefined) {
      reading = readOn().finally(() => {
        reading = undefined;
      });
      reading.catch(() => {}); // All waiting followers may have left.
    }
    return reading;
  }

  return {
    /** Adds a follower; `newest` is the serial of the source now. Returns the function that removes it. */
    join(serial: bigint): () => void {
      // Restarts for a source that was restored to an earlier state.
      if (following === 0 || serial < end || interruptions !== signal.interruptions()) restart(serial);
      following++;
      return () => {
        if (--following === 0) restart(end);
      };
    },
    /**
     * A page (`pageLimits`) of the changes after a serial. When there are none it waits for the next commit, `pollMs` or
     * the signal, and may return an empty page. Undefined, without waiting, when these changes are not cached: the caller
     * reads them itself. Rejects when the database does.
     */
    after(serial: bigint, aborted: AbortSignal): Promise<ChangePage> | undefined {
      // Followers that are behind and not waiting read for themselves.
      if (serial > end && reading === undefined) restart(serial);
      if (serial < start || serial > end) return undefined;
      return pageAfter(serial, aborted);
    },
  };

  async function pageAfter(serial: bigint, aborted: AbortSignal): Promise<ChangePage> {
    if (serial === end) await untilAborted(more(), aborted);
    if (serial < start || serial > end) return { changes: [], serial };
    const all = retained.slice(retained.findLastIndex((one) => one.serial <= serial) + 1);
    const changes = firstPage(all);
    return { changes, serial: changes.length < all.length ? changes.at(-1)!.serial : end };
  }
}

/** The first changes that fit into a page; a large object comes alone. */
function firstPage(changes: readonly StoredChange[]): StoredChange[] {
  let bytes = 0;
  const excess = changes.findIndex(({ stored }, at) => {
    bytes += stored.text.length;
    return at > 0 && (at >= pageLimits.objects || bytes > pageLimits.bytes);
  });
  return changes.slice(0, excess < 0 ? changes.length : excess);
}

const never = new AbortController().signal;

/** Waits for work; when the signal is aborted, the work continues for others. */
async function untilAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  signal.addEventListener('abort', end);
  await Promise.race([work, promise]).finally(() => signal.removeEventListener('abort', end));
}
