import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { makeSocketFolder } from './socket-folder.js';

test('a folder of sockets removes those of processes that are gone, and nothing else', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'socket-folder-'));
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await rm(parent, { recursive: true });
  });
  vi.stubEnv('TMPDIR', parent);
  const own = [await makeSocketFolder(), await makeSocketFolder()].map((folder) => basename(folder));
  const { pid: gone } = spawnSync(process.execPath, ['--version']);
  const left = [`cadastre-whois-${gone}-1234-abcdef`, `cadastre-whois-${process.pid}-1-abcdef`];
  const others = [`cadastre-other-${gone}-1234-abcdef`, `cadastre-whois-${gone}`, 'cadastre-whois-abcdef'];
  for (const name of [...left, ...others]) {
    await mkdir(join(parent, name));
    await writeFile(join(parent, name, '1.sock'), '');
  }
  const made = basename(await makeSocketFolder());
  expect((await readdir(parent)).sort()).toEqual([...own, ...others, made].sort());
});
