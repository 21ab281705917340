import type { Logger } from '@cadastre/service';
import pg from 'pg';
import { changeChannel } from './serials.js';

/** Signals possible commits to a source. */
export interface ChangeSignal {
  start(): Promise<void>;
  /** Wakes all waiters; may be called repeatedly. */
  stop(): Promise<void>;
  stopped(): boolean;
  /** A number that grows with every announced commit; read it before the data. */
  generation(sourceId: number): number;
  /** Waits until the generation differs from `seen`, for at most `timeoutMs`, or until `signal` is aborted. */
  wait(sourceId: number, seen: number, timeoutMs: number, signal: AbortSignal): Promise<void>;
}

const reconnectMs = 1000;

/** Listens on its own connection. Without the connection there are no signals: waiters rely on their timeout. */
export function createChangeSignal(o: { url: string; logger: Logger }): ChangeSignal {
  const generations = new Map<number, number>();
  const waiters = new Map<number, Set<() => void>>();
  let client: pg.Client | undefined;
  let retry: NodeJS.Timeout | undefined;
  let stopped = false;

  function announce(sourceId: number): void {
    generations.set(sourceId, (generations.get(sourceId) ?? 0) + 1);
    for (const wake of waiters.get(sourceId) ?? []) wake();
  }

  async function listen(): Promise<void> {
    const next = new pg.Client({ connectionString: o.url, application_name: 'cadastre-objects-feed', keepAlive: true });
    next.on('error', () => {}); // 'end' follows
    next.on('end', listenLater);
    next.on('notification', ({ payload }) => announce(Number(payload)));
    client = next;
    await next.connect();
    await next.query(`listen ${changeChannel}`);
  }

  function listenLater(): void {
    if (stopped || retry !== undefined) return;
    retry = setTimeout(() => {
      retry = undefined;
      listen().catch((error: unknown) => {
        o.logger.warn({ err: error }, 'cannot listen for changes');
        listenLater();
      });
    }, reconnectMs);
  }

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
    clearTimeout(retry);
    for (const waiting of waiters.values()) for (const wake of waiting) wake();
    await client?.end();
  }

  return { start: listen, stop, stopped: () => stopped, generation, wait };
}
