import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { isSkipped } from '@cadastre/service/testing';

const folder = process.env.CADASTRE_TEST_MIRROR_CLIENTS ?? path.join(homedir(), '.cache/cadastre/mirror-clients');

/** A file in the folder where `scripts/mirror-clients/install.sh` installs mirroring programs of others. */
export function mirrorFile(...names: readonly string[]): string {
  return path.join(folder, ...names);
}

/** Whether the tests of a program are skipped, because it is not installed: not every machine can install all. */
export function isWithout(program: 'irrd' | 'nrtm4-validator' | 'nrtm4client'): boolean {
  const file = mirrorFile('bin', program);
  const missing = existsSync(file) ? [] : [`${file} (scripts/mirror-clients/install.sh)`];
  return isSkipped(program, missing, { isOptional: true });
}
