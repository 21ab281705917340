import { setTimeout as sleep } from 'node:timers/promises';

/** A process outside of this one. */
export interface Running {
  /** Resolves with a description of its end ("was killed by SIGKILL"). */
  exited: Promise<string>;
  /** Ends it gracefully. */
  stop(): Promise<void>;
  kill(): void;
}

export interface KeepOptions {
  name: string;
  start: () => Promise<Running>;
  /** Called with one line when it ended and will be restarted. */
  announce: (line: string) => void;
  /** First pause before a restart; doubles up to `maxPauseMs` while it keeps ending. */
  firstPauseMs?: number;
  maxPauseMs?: number;
  /** After running this long, the next pause is the first one again. */
  settledMs?: number;
}

/** A supervised program. */
export interface Supervised {
  stop(): Promise<void>;
  kill(): void;
}

/** Starts a program and restarts it whenever it ends. Rejects when the first start fails. */
export async function keepRunning(o: KeepOptions): Promise<Supervised> {
  const stopping = new AbortController();
  let current: Running | undefined = await o.start();
  const watching = watch(o, current, stopping.signal, (running) => {
    current = running;
  });
  return {
    stop: async () => {
      stopping.abort();
      await current?.stop();
      await watching;
    },
    kill: () => {
      stopping.abort();
      current?.kill();
    },
  };
}

/** Supervises a program until it is stopped. Calls `onChange` with the running process. */
async function watch(
  o: KeepOptions,
  first: Running,
  stopping: AbortSignal,
  onChange: (running: Running | undefined) => void,
): Promise<void> {
  const { firstPauseMs = 200, maxPauseMs = 10_000, settledMs = 30_000 } = o;
  let pause = firstPauseMs;
  let running: Running | undefined = first;
  while (!stopping.aborted) {
    const started = performance.now();
    const ending = running ? await running.exited : 'could not be started';
    onChange(undefined);
    if (stopping.aborted) return;
    pause = performance.now() - started > settledMs ? firstPauseMs : pause;
    o.announce(`${o.name} ${ending}; starting it again${pause > firstPauseMs ? ` in ${pause / 1000} s` : ''}`);
    await sleep(pause, undefined, { signal: stopping }).catch(() => undefined);
    if (stopping.aborted) return;
    pause = Math.min(pause * 2, maxPauseMs);
    running = await startAgain(o, stopping);
    onChange(running);
  }
}

/** Restarts it; `undefined` when that failed. Stops a program that starts while the system is stopping. */
async function startAgain(o: KeepOptions, stopping: AbortSignal): Promise<Running | undefined> {
  try {
    const running = await o.start();
    if (stopping.aborted) await running.stop();
    return running;
  } catch (error) {
    o.announce(`${o.name}: ${(error as Error).message}`);
    return undefined;
  }
}
