import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshDirectory, inOneProcess, type RunningSystem, runSystem } from './harness/run-system.js';

const checkout = fileURLToPath(new URL('../../../', import.meta.url));
const mark = '@@ end of block @@';

let data: Awaited<ReturnType<typeof freshDirectory>>;
let system: RunningSystem;
let blocks: string[];

/** Runs the shell blocks of the walk-through in one shell. */
async function walkThrough(): Promise<string[]> {
  const page = readFileSync(`${checkout}docs/start/walk-through.md`, 'utf8');
  const scripts = [...page.matchAll(/^```sh\n(.*?)^```$/gms)].map((match) => match[1]);
  const script = scripts.map((block) => `${block}\necho '${mark}'\n`).join('');
  const env = {
    PATH: process.env.PATH,
    BASE: system.https,
    CADASTRE_DATA_DIR: system.dataDirectory,
    TMPDIR: system.dataDirectory,
  };
  const options = { cwd: checkout, env, maxBuffer: 16 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)('bash', ['-c', script], options);
  return stdout.split(`${mark}\n`).slice(0, -1);
}

const statuses = (output: string | undefined): string[] => output?.match(/^\d{3}$/gm) ?? [];

beforeAll(async () => {
  data = await freshDirectory();
  system = await runSystem(data.directory, inOneProcess);
  blocks = await walkThrough();
});

afterAll(async () => {
  await system?.stop();
  await data.remove();
});

describe('the walk-through', () => {
  test('looks a mntner up as XML and JSON, and a network as text', () => {
    expect(statuses(blocks[1])).toEqual(['200', '200', '200']);
    expect(blocks[1]).toContain('<attribute name="mntner" value="EXAMPLE-MNT"/>');
    expect(blocks[1]).toMatch(/"value" ?: ?"EXAMPLE-MNT"/);
    expect(blocks[1]).toMatch(/^inetnum: {8}192\.0\.2\.0 - 192\.0\.2\.255$/m);
  });

  test('searches around an address, by maintainer, for abuse contact and location', () => {
    expect(statuses(blocks[2])).toEqual(['200', '200', '200', '200']);
    expect(blocks[2]).toMatch(/^route: {10}192\.0\.2\.0\/24$/m);
    expect(blocks[2]).toContain('abuse@example.net');
  });

  test('creates a mntner and its person together', () => {
    expect(statuses(blocks[3])).toEqual(['200']);
    expect(blocks[3]).toContain('WW1-TEST');
  });

  test('dry-runs a change, makes it, and reads its versions', () => {
    expect(statuses(blocks[4])).toEqual(['200', '200', '200', '200']);
    expect(blocks[4]).toContain('Dry-run performed, no changes to the database have been made');
    expect(blocks[4]?.match(/ADD\/UPD/g)).toHaveLength(2);
  });

  test('refuses objects of others, referenced objects, and a mismatch with the path', () => {
    expect(statuses(blocks[5])).toEqual(['401', '409', '400']);
  });

  test('deletes an object whose history stays', () => {
    expect(statuses(blocks[6])).toEqual(['200', '200', '404', '200']);
  });

  test('loads a synthetic registry', () => {
    // Its roots of the address space replace those of the sample registry.
    expect(blocks[7]).toMatch(/^1998 created, 2 modified, 0 unchanged, 0 deleted, 0 rejected/m);
  });
});
