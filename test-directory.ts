import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
} from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

/** More than the systems and databases of a run need; they get half of the free memory. */
const neededBytes = 4 * 2 ** 30;
const memory = '/dev/shm';
const prefix = 'cadastre-run-';

/**
 * Creates an in-memory directory for all temporary files of this run, so that no test waits for a disk; removes it at
 * exit, together with directories of killed runs. Undefined on a machine without enough memory.
 */
export function directoryInMemory(): string | undefined {
  if (!hasRoom()) return undefined;
  for (const name of readdirSync(memory).filter((name) => name.startsWith(prefix))) {
    const [pid] = name.slice(prefix.length).split('-');
    if (!existsSync(`/proc/${pid}`)) rmSync(join(memory, name), { recursive: true, force: true });
  }
  const directory = mkdtempSync(join(memory, `${prefix}${process.pid}-`));
  // Databases run as other users, so it has the mode of /tmp.
  chmodSync(directory, 0o1777);
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Whether programs can run there and enough memory remains for them. */
function hasRoom(): boolean {
  try {
    accessSync(memory, constants.W_OK);
    const { bavail, bsize } = statfsSync(memory);
    const [mount = ''] = /^\S+ \/dev\/shm tmpfs \S+/m.exec(readFileSync('/proc/mounts', 'utf8')) ?? [];
    const isUsable = mount !== '' && !mount.includes('noexec');
    return isUsable && Math.min(bavail * bsize, freemem() / 2) >= neededBytes;
  } catch {
    return false;
  }
}
