import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RunningSystem } from './run-system.js';

const program = fileURLToPath(new URL('../../../../bin/cadastre', import.meta.url));

export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs bin/cadastre against a system; `more` are further variables of its environment. */
export function cadastre(
  system: Pick<RunningSystem, 'dataDirectory'>,
  args: string[],
  stdin = '',
  more: Record<string, string> = {},
): Promise<Finished> {
  return new Promise((resolve) => {
    const env = { PATH: process.env.PATH, CADASTRE_DATA_DIR: system.dataDirectory, ...more };
    const child = execFile(program, args, { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
      resolve({ code, stdout, stderr });
    });
    child.stdin?.end(stdin);
  });
}
