import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Packs the npm package in a folder into the directory `target`; returns the path of the file. */
export function npmPack(folder, target) {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', target];
  const options = { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
  return join(target, Object.values(JSON.parse(execFileSync('npm', args, options)))[0].filename);
}
