import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folderName = /^cadastre-whois-(\d+)-(\d+)-\w+$/;

/**
 * Makes a folder for Unix sockets of this process, which only this user may open. Removes those of processes that were
 * killed.
 */
export async function makeSocketFolder(): Promise<string> {
  for (const name of await readdir(tmpdir())) {
    const [, pid, began] = folderName.exec(name) ?? [];
    if (pid === undefined || (await beginningOf(pid)) === began) continue;
    // Another user's stays.
    await rm(join(tmpdir(), name), { recursive: true, force: true }).catch(() => {});
  }
  return mkdtemp(join(tmpdir(), `cadastre-whois-${process.pid}-${await beginningOf('self')}-`));
}

/**
 * When a process began, in clock ticks; undefined if it is gone. Later processes may have its number: in a container
 * every first one has.
 */
async function beginningOf(pid: string): Promise<string | undefined> {
  const state = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => '');
  return state.slice(state.lastIndexOf(')') + 2).split(' ')[19];
}
