import { writeFile } from 'node:fs/promises';
import type { Reporter, TestModule } from 'vitest/node';
import type {} from './measure-file.js';

/** Number of files with their own row; the other files of a project share one row. */
const rows = 60;

interface Measured {
  readonly project: string;
  readonly file: string;
  /** From the start of the import of the file to the end of its last hook. */
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly tests: number;
}

/** Vitest's reporter of `make test-times`: writes docs/develop/test-times.md. */
export default class TestTimes implements Reporter {
  readonly #began = performance.now();

  async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const measured = cpuOf(modules).map(({ module, cpuSeconds }): Measured => {
      const { duration, collectDuration, setupDuration, prepareDuration, environmentSetupDuration } =
        module.diagnostic();
      return {
        project: module.project.name,
        file: module.relativeModuleId,
        seconds: (duration + collectDuration + setupDuration + prepareDuration + environmentSetupDuration) / 1000,
        cpuSeconds,
        tests: [...module.children.allTests()].length,
      };
    });
    const wallSeconds = (performance.now() - this.#began) / 1000;
    await writeFile(new URL('../../docs/develop/test-times.md', import.meta.url), page(measured, wallSeconds));
  }
}

/**
 * A worker of files that are not isolated runs them one after the other: each file counts the CPU time since the
 * previous one.
 */
function cpuOf(modules: readonly TestModule[]): { module: TestModule; cpuSeconds: number }[] {
  const used = modules
    .map((module) => ({ module, ...(module.meta().used ?? { worker: 0, seconds: 0, browserSeconds: 0 }) }))
    .sort((a, b) => a.seconds - b.seconds);
  const before = new Map<number, number>();
  return used.map(({ module, worker, seconds, browserSeconds }) => {
    const cpuSeconds = seconds - (before.get(worker) ?? 0) + browserSeconds;
    before.set(worker, seconds);
    return { module, cpuSeconds };
  });
}

function page(measured: readonly Measured[], wallSeconds: number): string {
  const sorted = [...measured].sort((a, b) => b.cpuSeconds - a.cpuSeconds);
  const projects = [...new Set(sorted.map(({ project }) => project))].map((project) => {
    const own = sorted.filter((one) => one.project === project);
    return `| ${project} | ${own.length} | ${sum(own, 'tests')} | ${sum(own, 'seconds')} | ${sum(own, 'cpuSeconds')} |`;
  });
  const files = sorted
    .slice(0, rows)
    .map(({ file, tests, seconds, cpuSeconds }) => `| ${file} | ${tests} | ${shown(seconds)} | ${shown(cpuSeconds)} |`);
  const rest = sorted.slice(rows);
  return `# What the tests cost

\`make test-times\` writes this page: for each test file its duration and the CPU time of its worker and of the
processes that it starts, in seconds. The whole run took ${shown(wallSeconds)} s, at the size
\`${process.env.CADASTRE_TEST_SIZE ?? 'short'}\` ([sizes](test-sizes.md)). Excludes databases and the shared system.
Files of different projects run side by side.

| Project | Files | Tests | Duration | CPU |
|---|---|---|---|---|
${projects.join('\n')}

| File | Tests | Duration | CPU |
|---|---|---|---|
${files.join('\n')}
| ${rest.length} others | ${sum(rest, 'tests')} | ${sum(rest, 'seconds')} | ${sum(rest, 'cpuSeconds')} |
`;
}

function sum(measured: readonly Measured[], field: 'tests' | 'seconds' | 'cpuSeconds'): string {
  return shown(measured.reduce((total, one) => total + one[field], 0));
}

function shown(number: number): string {
  return number < 10 && !Number.isInteger(number) ? number.toFixed(1) : String(Math.round(number));
}
