import { expect } from 'vitest';
import { cadastre } from './cadastre.js';
import { eventually } from './eventually.js';
import type { SharedSystem } from './run-system.js';

/**
 * Loads objects into TEST, when no other file does: a source has one load at a time. Returns when searches find them.
 */
export async function loadObjects(system: SharedSystem, texts: readonly string[]): Promise<void> {
  const args = ['load', '--source', 'TEST', '--wait', '-'];
  const load = await eventually(async () => {
    const attempt = await cadastre(system, args, texts.join('\n'));
    expect(attempt.stderr).not.toMatch(/^cadastre: Another load of TEST/);
    return attempt;
  });
  // A load that resumed after a lost connection says so.
  expect(load.code, load.stderr).toBe(0);
}
