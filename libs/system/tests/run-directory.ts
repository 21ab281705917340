import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Makes a directory for this run of the tests, and removes those that killed runs left: each name has its process. */
export async function runDirectory(prefix: string): Promise<string> {
  const names = (await readdir(tmpdir())).filter((name) => name.startsWith(prefix));
  const left = names.filter((name) => {
    const [, pid] = /^(\d+)-/.exec(name.slice(prefix.length)) ?? [];
    return pid !== undefined && !existsSync(`/proc/${pid}`);
  });
  await Promise.all(left.map((name) => rm(join(tmpdir(), name), { recursive: true, force: true })));
  return mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
}
