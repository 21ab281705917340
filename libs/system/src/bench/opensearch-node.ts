import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { checkout } from '../run-settings.js';

const needed = ['java', 'mvn', 'setpriv'];

/** An OpenSearch node with temporary data. */
export interface OpenSearchNode {
  readonly pid: number;
  readonly url: string;
  stop(): Promise<void>;
}

/** Missing programs that a node needs. */
export function missingForOpenSearch(): string[] {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return needed.filter((program) => !folders.some((folder) => existsSync(join(folder, program))));
}

/** Starts a node; it ends with this process. */
export async function startOpenSearch(): Promise<OpenSearchNode> {
  const child = spawn(process.execPath, [join(checkout, 'scripts/opensearch/start.mjs')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, CADASTRE_PARENT_PIPE: '1' },
  });
  const exited = new Promise((resolve) => child.once('exit', resolve));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', () => reject(new Error('OpenSearch did not start')));
  });
  const stop = async () => {
    child.stdin.end();
    await exited;
  };
  return { pid: child.pid!, url, stop };
}
