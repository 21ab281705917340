import { expect } from 'vitest';
import { cadastre, type Finished } from './cadastre.js';
import type { SharedSystem } from './run-system.js';

/** Loads objects into TEST, when no other file does: a source has one load at a time. Then searches find them. */
export async function loadObjects(system: SharedSystem, texts: readonly string[]): Promise<void> {
  let load: Finished | undefined;
  const attempt = async () => {
    load = await cadastre(system, ['load', '--source', 'TEST', '--wait', '-'], texts.join('\n'));
    return load.stderr;
  };
  await expect.poll(attempt).not.toMatch(/^cadastre: Another load of TEST/);
  expect([load!.code, load!.stderr]).toEqual([0, '']);
}
