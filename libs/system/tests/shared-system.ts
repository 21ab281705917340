import type { TestProject } from 'vitest/node';
import { emptyDirectory, runSystem, type SharedSystem } from './harness/run-system.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The system that the files in tests/shared use concurrently. */
    sharedSystem: SharedSystem;
  }
}

/** Vitest's globalSetup: one system with the default settings for all files in tests/shared. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const data = await emptyDirectory(project.getProvidedContext().testLogs);
  const { output, closeOutput, exited, signal, stop, ...addresses } = await runSystem(data.directory);
  project.provide('sharedSystem', { ...addresses, said: output() });
  return async () => {
    await stop();
    await data.remove();
  };
}
