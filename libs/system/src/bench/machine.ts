import { execFile } from 'node:child_process';
import { availableParallelism, cpus, release, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { checkout } from '../run-settings.js';

/** The environment of the measurements. */
export interface Machine {
  readonly processor: string;
  readonly processors: number;
  readonly memoryGb: number;
  readonly kernel: string;
  readonly node: string;
  /** Commit of the checkout; with a plus sign when files differ from it. */
  readonly commit: string;
}

export async function describeMachine(): Promise<Machine> {
  return {
    processor: cpus()[0]?.model ?? 'unknown',
    processors: availableParallelism(),
    memoryGb: Math.round(totalmem() / 1e9),
    kernel: release(),
    node: process.version,
    commit: await commit(),
  };
}

async function commit(): Promise<string> {
  const git = async (...args: string[]) => (await promisify(execFile)('git', ['-C', checkout, ...args])).stdout.trim();
  try {
    const changed = (await git('status', '--porcelain')) !== '';
    return (await git('rev-parse', '--short', 'HEAD')) + (changed ? '+' : '');
  } catch {
    return 'unknown';
  }
}
