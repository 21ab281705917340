import { type Database, errorText, type Logger } from '@cadastre/service';
import { changeChannel } from './serials.js';

/** Signals possible commits to a source. */
export interface ChangeSignal {
  start(): Promise<void>;
  /** Wakes all waiters; may be called repeatedly. */
  stop(): Promise<void>;
  stopped(): boolean;
  /**
   * A number that grows whenever the connection to the database was lost: the next one may reach a server without
   * changes that were already read.
   */
  interruptions(): number;
  /** A number that grows with every announced commit; read it before the data. */
  generation(sourceId: number): number;
  /** Waits until the generation differs from `seen`, for at most `timeoutMs`, or until `signal` is aborted. */
  wait(sourceId: number, seen: number, timeoutMs: number, signal: AbortSignal): Promise<void>;
}

/** Without a connection there are no signals: waiters rely on their timeout. */
export function createChangeSignal({ database, logger }: { database: Database; logger: Logger }): ChangeSignal {
  const generations = new Map<number, number>();
  const waiters = new Map<number, Set<() => void>>();
  let interruptions = 0;
  let stopped = false;

  function wakeAll(): void {
    for (const waiting of waiters.values()) for (const wake of waiting) wake();
  }

  function interrupt(): void {
    interruptions++;
    wakeAll();
  }

  function announce(sourceId: number): void {
    generations.set(sourceId, (generations.get(sourceId) ?? 0) + 1);
    for (const wake of waiters.get(sourceId) ?? []) wake();
  }

  const listener = database.listen({
    applicationName: 'cadastre-objects-feed',
    channels: [changeChannel],
    hear: ({ payload }) => announce(Number(payload)),
    // Between a loss and a new connection someone may have begun to read from the former server.
    prepare: async () => {
      if (interruptions > 0) interrupt();
    },
    onLoss: interrupt,
    onFailure: (error) => logger.warn({ reason: errorText(error) }, 'cannot listen for changes'),
  });

  function wait(sourceId: number, seen: number, timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (stopped || signal.aborted || generation(sourceId) !== seen) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const waiting = waiters.get(sourceId) ?? new Set();
    waiters.set(sourceId, waiting.add(resolve));
    const timer = setTimeout(resolve, timeoutMs);
    const onAbort = () => resolve();
    signal.addEventListener('abort', onAbort);
    return promise.finally(() => {
      signal.removeEventListener('abort', onAbort);
      clearTimeout(timer);
      waiting.delete(resolve);
    });
  }

  function generation(sourceId: number): number {
    return generations.get(sourceId) ?? 0;
  }

  async function stop(): Promise<void> {
    if (stopped) return;
    stopped = true;
    wakeAll();
    await listener.stop();
  }

  return { start: listener.start, stop, stopped: () => stopped, interruptions: () => interruptions, generation, wait };
}
