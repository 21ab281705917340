import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Folder of this checkout. */
export const checkout = fileURLToPath(new URL('../..', import.meta.url));

/** The file with the tables of the last run. */
export const reportFile = 'docs/measurements/performance.md';

/** What git knows about the measured files. */
export interface Revision {
  /** Abbreviated. */
  readonly commit: string;
  /** Whether files other than the report differ from the commit, or are new. */
  readonly dirty: boolean;
}

export async function git(...args: string[]): Promise<string> {
  return (await promisify(execFile)('git', ['-C', checkout, ...args])).stdout.trim();
}

/** Without git: an unknown commit, dirty. */
export async function readRevision(): Promise<Revision> {
  try {
    const changes = await git('status', '--porcelain', '--', '.', `:(exclude)${reportFile}`);
    return { commit: await git('rev-parse', '--short=10', 'HEAD'), dirty: changes !== '' };
  } catch {
    return { commit: 'unknown', dirty: true };
  }
}
