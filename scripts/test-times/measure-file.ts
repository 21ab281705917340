import { readFileSync } from 'node:fs';
import { afterAll, afterEach, type RunnerTestFile, type RunnerTestSuite } from 'vitest';
import { descendants } from '../../libs/system/tests/harness/processes.js';

// Vitest's setup file of `make test-times`: passes the CPU time of each test file to the reporter.

declare module 'vitest' {
  interface TaskMeta {
    used?: {
      readonly worker: number;
      /** CPU of the worker and of its exited children since the worker started. */
      readonly seconds: number;
      /** CPU of the browsers of this file, except their first processes, which are children of the worker. */
      readonly browserSeconds: number;
    };
  }
}

let browserSeconds = 0;

// A browser runs until the last hook of a file, and does not wait for its processes then.
afterEach(() => {
  const processes = descendants(process.pid).filter(({ command }) => / --type=| -contentproc /.test(command));
  const seconds = processes.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
  browserSeconds = Math.max(browserSeconds, seconds);
});

// biome-ignore lint/correctness/noEmptyPattern: Vitest wants its fixtures destructured, also when none is used.
afterAll(({}, suite: Readonly<RunnerTestSuite | RunnerTestFile>) => {
  suite.file.meta.used = { worker: process.pid, seconds: cpuSeconds(process.pid), browserSeconds };
});

/** User and system time of a process and its exited children: fields 14 to 17 of proc_pid_stat(5), in hundredths. */
function cpuSeconds(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
  } catch {
    // The process ended meanwhile.
    return 0;
  }
}
