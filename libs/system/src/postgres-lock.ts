import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';

/**
 * Removes the lock file of a killed server when its process number now belongs to another program (PostgreSQL itself
 * trusts such a lock, for example after the restart of a container).
 */
export async function clearStaleLock(dataDirectory: string): Promise<void> {
  const file = path.join(dataDirectory, 'postmaster.pid');
  const pid = Number.parseInt(await readIfThere(file), 10);
  if (!(pid > 0)) return;
  const command = await readIfThere(`/proc/${pid}/cmdline`);
  if (!command.includes('postgres')) await rm(file, { force: true });
}

async function readIfThere(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}
