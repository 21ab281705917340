import { afterAll, afterEach, type RunnerTestFile, type RunnerTestSuite } from 'vitest';
import { cpuMsWithChildrenOf, descendants } from '../../libs/system/tests/harness/processes.js';

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

const cpuSeconds = (pid: number): number => cpuMsWithChildrenOf(pid) / 1000;
