import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { scanLogs } from './harness/scan-logs.js';
import { runDirectory } from './run-directory.js';

const maxShown = 20;

/**
 * Vitest's globalSetup: collects the logs of all services in a run, and fails the run when they contain a secret of its
 * tests, or a text that looks like one.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await runDirectory('cadastre-test-logs-');
  await Promise.all(['logs', 'secrets'].map((name) => mkdir(join(directory, name))));
  project.provide('testLogs', directory);
  return async () => {
    const leaks = await scanLogs(directory);
    if (leaks.length === 0) return rm(directory, { recursive: true });
    const shown = leaks
      .slice(0, maxShown)
      .map(({ file, line, kind }) => `${join(directory, 'logs', file)}:${line}: ${kind}`);
    // Throwing here would prevent the other teardowns.
    process.exitCode = 1;
    process.stderr.write(`\n${leaks.length} lines of logs contain secrets:\n${shown.join('\n')}\n`);
  };
}
