import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openInput } from './input.js';

let directory: string;
const file = (name: string) => join(directory, name);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cadastre-input-'));
  await writeFile(file('plain'), 'person: A\n\nperson: B\n');
  await writeFile(file('packed.gz'), Buffer.concat([gzipSync('mntner: C\n'), gzipSync('\nmntner: D\n')]));
  await writeFile(file('damaged.gz'), gzipSync('x'.repeat(10_000)).subarray(0, 30));
  await writeFile(file('empty'), '');
});

afterAll(() => rm(directory, { recursive: true, force: true }));

async function* stdin(...pieces: string[]): AsyncGenerator<Buffer> {
  for (const piece of pieces) yield Buffer.from(piece, 'latin1');
}

async function read(files: string[], standardInput = stdin()) {
  const input = await openInput(files, standardInput);
  const chunks: Buffer[] = [];
  for await (const chunk of await input.from(1)) chunks.push(chunk);
  return { input, text: Buffer.concat(chunks).toString('latin1') };
}

test('a plain file is read unchanged', async () => {
  expect((await read([file('plain')])).text).toBe('person: A\n\nperson: B\n');
});

test('all members of a gzip file are unpacked', async () => {
  expect((await read([file('packed.gz')])).text).toBe('mntner: C\n\nmntner: D\n');
});

test('standard input may be gzip in arbitrary pieces', async () => {
  const packed = gzipSync('irt: E\n').toString('latin1');
  expect((await read(['-'], stdin(packed.slice(0, 1), packed.slice(1, 5), packed.slice(5)))).text).toBe('irt: E\n');
});

test.each([
  ['xz', [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0]],
  ['bzip2', [0x42, 0x5a, 0x68, 0x39]],
  ['zstd', [0x28, 0xb5, 0x2f, 0xfd]],
  ['zip', [0x50, 0x4b, 3, 4]],
])('a file that %s has compressed is named as such', async (name, bytes) => {
  await expect(read(['-'], stdin(String.fromCharCode(...bytes)))).rejects.toThrow(
    `-: is compressed by ${name}; decompress it first`,
  );
});

test('an empty file is an empty text', async () => {
  expect((await read([file('empty')])).text).toBe('');
});

test('objects of two files are never joined', async () => {
  const { text } = await read(['-', file('plain')], stdin('role: F'));
  expect(text).toBe('role: F\n\nperson: A\n\nperson: B\n\n\n');
});

test('a line of the joined text is found in its file', async () => {
  const { input } = await read([file('packed.gz'), file('plain')]);
  expect([1, 3, 6, 8].map((line) => input.locate(line))).toEqual([
    { file: file('packed.gz'), line: 1 },
    { file: file('packed.gz'), line: 3 },
    { file: file('plain'), line: 1 },
    { file: file('plain'), line: 3 },
  ]);
});

test('sizes are those of the files on disk; standard input has none', async () => {
  const { input } = await read([file('plain')]);
  expect(input.totalBytes).toBe(21);
  expect((await read(['-'])).input.totalBytes).toBeUndefined();
});

test('lines are those of pieces that were read, not of the file', async () => {
  const input = await openInput(['-'], stdin('person: A\nphone: 1\n', '\nperson: B\n', 'phone: 2\n'));
  const pieces = (await input.from(1))[Symbol.asyncIterator]();
  await pieces.next();
  await pieces.next();
  expect([1, 2, 3, 4].map((line) => input.bytesUpTo(line))).toEqual([0, 0, 19, 19]);
  while (!(await pieces.next()).done);
  expect([4, 5, 6].map((line) => input.bytesUpTo(line))).toEqual([19, 30, 39]);
});

test('a message names a truncated gzip file', async () => {
  await expect(read([file('damaged.gz')])).rejects.toThrow(`${file('damaged.gz')}: is not a complete gzip file`);
});

test('a missing file fails before anything is read', async () => {
  await expect(openInput([file('plain'), file('absent')], stdin())).rejects.toThrow('ENOENT');
});

test('a directory is not a dump', async () => {
  await expect(openInput([directory], stdin())).rejects.toThrow(`${directory}: is a directory`);
});
