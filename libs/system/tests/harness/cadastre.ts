import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { RunningSystem } from './run-system.js';

const program = fileURLToPath(new URL('../../../../bin/cadastre', import.meta.url));

export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

type Running = Pick<RunningSystem, 'dataDirectory'>;

const maxTries = 3;
const pauseMs = 500;

/** What the command says when nothing was done because a service was unavailable. */
const unavailable = 'The registry does not respond (Service temporarily unavailable)';

/**
 * Runs bin/cadastre against a system; `more` are further variables of its environment. Repeats a command for which a
 * service was unavailable, as a connection to the database may be while the machine stands still.
 */
export async function cadastre(
  system: Running,
  args: string[],
  stdin = '',
  more: Record<string, string> = {},
): Promise<Finished> {
  let finished = await cadastreOnce(system, args, stdin, more);
  for (let tries = 1; finished.stderr.includes(unavailable) && tries < maxTries; tries++) {
    console.warn(`cadastre ${args.join(' ').slice(0, 100)}: unavailable, run again`);
    await delay(pauseMs);
    finished = await cadastreOnce(system, args, stdin, more);
  }
  return finished;
}

/** The same without a repetition, for tests of failures. */
export function cadastreOnce(
  system: Running,
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
