import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findAddresses } from './addresses.js';

let directory: string;
const running = { objects: 'unix:/o.sock', auth: 'unix:/a.sock', search: 'unix:/s.sock' };
const writeRun = (run: unknown) => writeFile(join(directory, 'run.json'), JSON.stringify(run));

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cadastre-addresses-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

test('finds a system of make run by its run.json', async () => {
  await writeRun({ pid: process.pid, ...running });
  expect(findAddresses({ CADASTRE_DATA_DIR: directory })).toEqual({ ...running, searchAny: undefined, local: true });
});

test('address variables take precedence over a running system', async () => {
  await writeRun({ pid: process.pid, ...running });
  const env = { CADASTRE_DATA_DIR: directory, CADASTRE_OBJECTS_ADDRESS: 'objects:9090' };
  const others = { auth: '', search: undefined, searchAny: undefined, local: false };
  expect(findAddresses(env)).toEqual({ objects: 'objects:9090', ...others });
});

test.each([
  ['its process has ended', { pid: 2 ** 22 + 1, ...running }],
  ['it lacks an address', { pid: process.pid, objects: 'unix:/o.sock' }],
])('a run.json is ignored when %s', async (_, run) => {
  await writeRun(run);
  expect(() => findAddresses({ CADASTRE_DATA_DIR: directory })).toThrow(`No registry is running in ${directory}`);
});

test('without a run.json the message says how to start or name a registry', () => {
  expect(() => findAddresses({ CADASTRE_DATA_DIR: '/nowhere' })).toThrow(/"make run".*CADASTRE_OBJECTS_ADDRESS/);
});
