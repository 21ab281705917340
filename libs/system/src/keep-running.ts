import { setTimeout as sleep } from 'node:timers/promises';

/** Something that runs outside of this process. */
export interface Running {
  /** Settles with what ended it, in words ("was killed by SIGKILL"). */
  exited: Promise<string>;
  /** Ends it after it has finished what it does. */
  stop(): Promise<void>;
  /** Ends it now. */
  kill(): void;
}

export interface KeepOptions {
  name: string;
  start: () => Promise<Running>;
  /** Told in one line when it ended and will be started again. */
  announce: (line: string) => void;
  /** First pause before a new start; doubles while it keeps ending, up to `longestPauseMs`. */
  firstPauseMs?: number;
  longestPauseMs?: number;
  /** After running this long, the next pause is the first one again. */
  settledMs?: number;
}

/** Something that is kept running. */
export interface Kept {
  stop(): Promise<void>;
  kill(): void;
}

/** Starts something and starts it again whenever it ends. Rejects when the first start fails. */
export async function keepRunning(o: KeepOptions): Promise<Kept> {
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

/** Follows what runs until told to stop. `onChange` is told what runs now. */
async function watch(
  o: KeepOptions,
  first: Running,
  stopping: AbortSignal,
  onChange: (running: Running | undefined) => void,
): Promise<void> {
  const { firstPauseMs = 200, longestPauseMs = 10_000, settledMs = 30_000 } = o;
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
    pause = Math.min(pause * 2, longestPauseMs);
    running = await startAgain(o, stopping);
    onChange(running);
  }
}

/** Starts it; `undefined` when that failed. What starts while the system is being stopped is stopped. */
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
