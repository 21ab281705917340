import { readFileSync } from 'node:fs';
import { afterAll, type RunnerTestFile, type RunnerTestSuite } from 'vitest';

// Vitest's setup file of `make test-times`: passes the CPU time of each test file to the reporter.

declare module 'vitest' {
  interface TaskMeta {
    /** Worker of the file, and CPU seconds of the worker and of its exited children since it started. */
    used?: { worker: number; seconds: number };
  }
}

// biome-ignore lint/correctness/noEmptyPattern: Vitest wants its fixtures destructured, also when none is used.
afterAll(({}, suite: Readonly<RunnerTestSuite | RunnerTestFile>) => {
  suite.file.meta.used = { worker: process.pid, seconds: cpuSeconds() };
});

/** User and system time of this process and its exited children: fields 14 to 17 of proc_pid_stat(5), in hundredths. */
function cpuSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / 100;
}
