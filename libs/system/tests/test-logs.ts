import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { scanLogs } from './harness/scan-logs.js';

const mostShown = 20;

/**
 * Vitest's globalSetup: keeps everything that the services of a run log, and fails the run when a secret of its tests
 * stands in it, or something that looks like one.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'cadastre-test-logs-'));
  await Promise.all(['logs', 'secrets'].map((name) => mkdir(join(directory, name))));
  project.provide('testLogs', directory);
  return async () => {
    const leaks = await scanLogs(directory);
    if (leaks.length === 0) return rm(directory, { recursive: true });
    const shown = leaks
      .slice(0, mostShown)
      .map(({ file, line, kind }) => `${join(directory, 'logs', file)}:${line}: ${kind}`);
    // Thrown here, an error would keep the other teardowns from running.
    process.exitCode = 1;
    process.stderr.write(`\n${leaks.length} lines of logs hold secrets:\n${shown.join('\n')}\n`);
  };
}
