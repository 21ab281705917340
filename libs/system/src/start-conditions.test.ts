import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { claimDirectory } from './directory-claim.js';
import { openLog } from './log-files.js';
import { choosePorts } from './ports.js';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cadastre-start-'));
});

afterEach(async () => {
  await rm(directory, { recursive: true, force: true });
});

test('a directory is claimed once, by whatever path', async () => {
  const link = `${directory}-link`;
  await symlink(directory, link);
  const claim = await claimDirectory(directory);
  await expect(claimDirectory(link)).rejects.toThrow('A registry is already running');
  claim.release();
  await rm(link);
});

test('a directory can be claimed again after its release', async () => {
  (await claimDirectory(directory)).release();
  const again = await claimDirectory(directory);
  again.release();
  expect(again).toBeDefined();
});

test('a taken port causes one line that names port and setting', async () => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as { port: number };
  await expect(choosePorts([{ port, settingName: 'CADASTRE_HTTP_PORT' }])).rejects.toThrow(
    `Port ${port} is in use. Set CADASTRE_HTTP_PORT to another one (0 chooses a free one).`,
  );
  server.close();
});

test('port 0 becomes a free port, each time another one', async () => {
  const any = { port: 0, settingName: 'X' };
  const ports = await choosePorts([any, any, any]);
  expect([new Set(ports).size, Math.min(...ports) > 1023]).toEqual([3, true]);
});

test('one port is not chosen twice', async () => {
  const [port = 0] = await choosePorts([{ port: 0, settingName: 'X' }]);
  const same = ['CADASTRE_HTTP_PORT', 'CADASTRE_HTTPS_PORT'].map((settingName) => ({ port, settingName }));
  await expect(choosePorts(same)).rejects.toThrow('Set CADASTRE_HTTPS_PORT');
});

test('the log of an earlier start is kept beside the new one', async () => {
  await writeFile(join(directory, 'objects.log'), 'earlier\n');
  await openLog(directory, 'objects');
  expect(await readFile(join(directory, 'objects.1.log'), 'utf8')).toBe('earlier\n');
});

test('the log of the sixth start before is dropped', async () => {
  for (let start = 1; start <= 7; start += 1) {
    await openLog(directory, 'objects');
    await writeFile(join(directory, 'objects.log'), `start ${start}`);
  }
  expect(await readFile(join(directory, 'objects.5.log'), 'utf8')).toBe('start 2');
  await expect(readFile(join(directory, 'objects.6.log'))).rejects.toThrow('ENOENT');
});
